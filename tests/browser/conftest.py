"""A browser that notes what a visitor shouldn't meet."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError, expect

from kgadmin.config import ROOT
from kgadmin.embedded.servers import free_port
from tests.browser.pages import sign_in
from tests.fixtures.program import is_warm
from tests.patience import wait_for
from tests.program import Run
from tests.scripted_model import ScriptedModel

PATIENCE_MS = 20_000
"""For a page's next state, on a machine that runs other tests beside this one."""
OUR_HOST = "127.0.0.1"
REFUSALS = tuple(f"Response Status Error Code {code} from /review/" for code in (401, 409, 422))
"""What htmx writes where a page says why something can't be decided."""
expect.set_options(timeout=PATIENCE_MS)


@dataclass(frozen=True)
class Connected:
    """A second web process on the same data, to which a language model is connected."""

    address: str
    model: ScriptedModel


@pytest.fixture(scope="module")
def connected(program: Run) -> Iterator[Connected]:
    with ScriptedModel() as model:
        settings = {"LLM_BASE_URL": model.base_url, "LLM_MODEL": "scripted", "LLM_TIMEOUT": "60"}
        port = free_port(8600)
        command = [sys.executable, "-m", "uvicorn", "kgadmin.asgi:application", "--port", str(port)]
        with program.log.open("a") as log:
            web = subprocess.Popen(command, cwd=ROOT, env=program.env | settings, stdout=log, stderr=log)
        address = f"http://{OUR_HOST}:{port}/"
        assert wait_for(lambda: is_warm(address), 90, every=0.5), program.output
        yield Connected(address, model)
        web.terminate()
        web.wait(20)


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, object], program: Run) -> dict[str, object]:
    """A usual window; addresses in tests are paths."""
    viewport = {"width": 1440, "height": 900}
    return browser_context_args | {"base_url": program.address, "viewport": viewport, "reduced_motion": "reduce"}


@pytest.fixture
def context(context: BrowserContext) -> Iterator[BrowserContext]:
    """A browser whose every page is free of script errors, violations of the policy, and requests to other hosts."""
    context.set_default_timeout(PATIENCE_MS)
    faults: list[str] = []

    def note_message(message: ConsoleMessage) -> None:
        # A page that isn't found says so here, too; parts of a page that aren't are noted below.
        expected = ("Failed to load resource", *REFUSALS)
        if message.type == "error" and not message.text.startswith(expected):
            faults.append(f"console: {message.text}")

    def note_script_error(error: WebError) -> None:
        faults.append(f"script: {error.error}")

    def note_request(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != OUR_HOST:
            faults.append(f"request to elsewhere: {request.url}")

    def note_response(response: Response) -> None:
        asked = response.request
        reviews = "/review/" in asked.url
        says_why = response.status in {409, 422} and (reviews or "x-autosave" in asked.headers)
        signed_out = response.status == 401 and reviews
        if response.status >= 400 and not asked.is_navigation_request() and not (says_why or signed_out):
            faults.append(f"{response.status}: {response.url}")

    context.on("console", note_message)
    context.on("weberror", note_script_error)
    context.on("request", note_request)
    context.on("response", note_response)
    yield context
    assert faults == []


@pytest.fixture
def tester_page(page: Page) -> Page:
    sign_in(page, "tester")
    return page
