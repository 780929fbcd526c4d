"""What every page tells the browser, what no address, log or trace may hold, and what a reply may load."""

import asyncio
import json
import logging
import re
from collections.abc import Mapping
from functools import reduce
from typing import Any

import pytest
from django.test import Client
from pydantic import SecretStr
from pytest_django.fixtures import Settings

from kgadmin import asgi
from kgadmin.accounts.keys import create_key
from kgadmin.accounts.models import Client as Program
from kgadmin.accounts.models import User
from kgadmin.asgi import MOST_BYTES, MOST_BYTES_OF_FILES, bounded
from kgadmin.logs import DiscreetFilter, DiscreetFormatter, discreet
from kgadmin.markdown import as_html
from tests.characters.profiles import sheets

KEY = "kg-" + "aB3_-" * 8
PAGES = [
    "/", "/account/", "/accounts/", "/clients/", "/characters/", "/characters/ann/", "/dashboard/", "/enrichment/",
    "/enrichment/relations/", "/import/", "/knowledge/", "/knowledge/register-a-base/", "/language-model/", "/nothing/",
    "/people/", "/playground/", "/playground/with/ann/", "/login/",
]  # fmt: skip
HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def test_every_page_lets_only_its_own_scripts_run(admin_client: Client) -> None:
    sheets.character("ann")
    for path in PAGES:
        answer = (Client() if path == "/login/" else admin_client).get(path, follow=path == "/")
        page = answer.content.decode()
        policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";"))
        assert "unsafe" not in policy["script-src"], path
        assert re.search(r"'nonce-\S{20,}'", policy["script-src"]) or "<script>" not in page, path
        sources = (policy["default-src"], policy["object-src"], policy["frame-ancestors"])
        assert sources == ("'self'", "'none'", "'none'"), path
        assert not re.search(r"<script(?![^>]*(src=|nonce=))", page), f"{path}: a script without source or nonce"
        assert not re.search(r"\son\w+=", page), f"{path}: an inline handler"
        assert "javascript:" not in page, path
        assert HEADERS.items() <= dict(answer.headers).items(), path
        assert "camera=()" in answer.headers["Permissions-Policy"], path


def test_a_key_in_the_address_is_refused(tester: User, tester_client: Client) -> None:
    _, text = create_key(Program.objects.create(name="bot", owner=tester), scopes=["chat", "read"], by=None)
    for path in (f"/api/turns/1?key={text}", f"/v1/models?api_key={text}", f"/playground/?q=Bearer%20{text}"):
        answer = tester_client.get(path, headers={"Authorization": f"Bearer {text}"})
        assert answer.status_code == 400, path
        body = json.loads(answer.content)
        sentence = body.get("detail") or body["error"].pop("message")
        assert "Revoke that key" in sentence, path
        assert text not in answer.content.decode(), path
        if path.startswith("/v1/"):
            assert body == {"error": {"type": "invalid_request_error", "param": None, "code": "key_in_address"}}


def test_a_log_line_holds_no_secret_and_an_ordinary_one_is_told_whole() -> None:
    for line in (
        f"GET /v1/models?key={KEY}",
        f"headers: {{'Authorization': 'Bearer {KEY}'}}",
        "headers: {'authorization': 'Bearer abcdefghijk-secret'}",
        "POST https://llm.example/v1?api_key=abc-secret failed",
        "Incorrect API key provided: sk-abcsecretdef",
        '"GET /link/12-abcdefgh-secretsecretsecret/ HTTP/1.1" 200',
    ):
        logged = discreet(line)
        assert "secret" not in logged
        assert KEY not in logged
        assert "…" in logged, line
    for line in ("Person 12 was forgotten by user 3.", '"GET /people/12/ HTTP/1.1" 200', "Stage probe: no answer"):
        assert discreet(line) == line


def test_a_log_line_holds_none_of_the_settings_secrets(settings: Settings) -> None:
    secrets = {"llm_api_key": SecretStr("any form at all"), "graph_password": SecretStr("graphs-own")}
    address = {"database_url": "postgresql://kgadmin:databases-own@db/kgadmin"}
    settings.CONFIG = settings.CONFIG.model_copy(update=secrets | address)
    assert discreet("refused any form at all; graphs-own; databases-own at db") == "refused …; …; … at db"


def test_a_traceback_holds_no_secret() -> None:
    try:
        raise RuntimeError(f"refused: Bearer {KEY}")
    except RuntimeError as error:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "broke", None, (type(error), error, error.__traceback__))
    logged = DiscreetFormatter("%(message)s").format(record)
    assert "refused" in logged
    assert KEY not in logged


def test_the_line_per_request_is_discreet() -> None:
    arguments = ("127.0.0.1:5", "GET", f"/link/{KEY}/?q=Noor&key=1", "1.1", 400)
    record = logging.LogRecord("uvicorn.access", logging.INFO, "x", 1, '%s - "%s %s HTTP/%s" %d', arguments, None)
    assert DiscreetFilter().filter(record)
    assert record.getMessage() == '127.0.0.1:5 - "GET /link/kg-…/ HTTP/1.1" 400'


def test_a_reply_loads_nothing() -> None:
    for reply in (
        "![](http://x.example/?q=secret)",
        "![a](//x.example/a.png)",
        "[![a](http://x.example/a.png)](http://x.example)",
        "![a][1]\n\n[1]: http://x.example/a.png",
        "<img src=http://x.example/a.png>",
        "<svg><image href='http://x.example/'/></svg>",
        "<style>@import 'http://x.example/'</style>",
        "<iframe src=http://x.example></iframe>",
        "<video poster=http://x.example/a.png>",
    ):
        shown = as_html(reply)
        assert not re.search(r"<(img|svg|image|style|iframe|video|link|script)", shown), reply
        assert "src=" not in shown.replace("&lt;", "").partition("<img")[2], reply


def test_a_link_in_a_reply_runs_nothing_and_tells_the_other_site_nothing() -> None:
    for link in ("javascript:alert(1)", "data:text/html,x", "vbscript:x", "JaVaScRiPt:alert(1)"):
        assert "href" not in as_html(f"[click]({link})"), link
    assert 'rel="noopener noreferrer"' in as_html("[there](https://x.example)")


class Wire:
    """A connection: what is sent in, and what comes out."""

    def __init__(
        self, *chunks: bytes, headers: Mapping[str, str] | None = None, path: str = "/", hangs: bool = False
    ) -> None:
        self.messages = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
        self.scope: dict[str, Any] = {
            "type": "http",
            "path": path,
            "headers": [(name.encode(), value.encode()) for name, value in (headers or {}).items()],
        }
        self.hangs = hangs
        self.sent: list[Any] = []
        self.read = 0

    async def receive(self) -> Any:
        self.read += 1
        if self.hangs and not self.messages:
            await asyncio.Event().wait()
        return self.messages.pop(0) if self.messages else {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    def serve(self) -> int:
        async def application(scope: Any, receive: Any, send: Any) -> None:
            while (message := await receive())["type"] == "http.request":
                if not message["more_body"]:
                    await send({"type": "http.response.start", "status": 200})
                    return

        async def served() -> None:
            await bounded(application)(self.scope, self.receive, self.send)

        asyncio.run(served())
        return int(self.sent[0]["status"])


def test_a_body_that_says_how_large_it_is_is_refused_unread_in_the_words_that_its_client_knows() -> None:
    for path, words in (("/api/people", ["detail"]), ("/v1/chat/completions", ["error", "message"])):
        wire = Wire(headers={"content-length": str(MOST_BYTES + 1)}, path=path)
        assert (wire.serve(), wire.read) == (413, 0)
        sentence = reduce(lambda body, name: body[name], words, json.loads(wire.sent[1]["body"]))
        assert "at most 32 MB" in sentence, path


def test_a_body_of_which_nothing_more_comes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "PIECE_SECONDS", 0.05)
    wire = Wire(b"the beginning", hangs=True)
    assert wire.serve() == 408
    assert b"Send it again" in wire.sent[1]["body"]


def test_a_body_that_does_not_say_is_refused_where_it_is_too_large_and_files_may_be_larger() -> None:
    wire = Wire(*[b"x" * (MOST_BYTES // 4)] * 6)
    assert (wire.serve(), len(wire.sent)) == (413, 2)
    files = {"content-type": "multipart/form-data; boundary=x", "content-length": str(MOST_BYTES_OF_FILES)}
    assert Wire(b"x", headers=files).serve() == 200
    assert Wire(b"x", headers=files | {"content-length": str(MOST_BYTES_OF_FILES + 1)}).serve() == 413
    assert Wire(b"x", headers={"content-length": "1"}).serve() == 200
    assert Wire(b"x", headers={"content-length": "many"}).serve() == 200
