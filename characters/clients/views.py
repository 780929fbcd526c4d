"""The pages of clients: connecting a program, what it asked for, its keys."""

from typing import Any

from django.conf import settings
from django.db.models import OuterRef, Prefetch, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters.clients.kinds import KINDS, Kind, kind_of
from characters.clients.models import ClientRequest
from characters.clients.openai.answers import live_characters
from kgadmin.accounts import keys
from kgadmin.accounts.forms import EXPIRIES, NewKey
from kgadmin.accounts.models import SCOPES, ApiKey, Client
from kgadmin.accounts.roles import PageRequest, has_role
from kgadmin.rest.actions import answer, first_or_404, on_page, read

REQUESTS = 20
HEADERS = {
    "person_header": "The person’s id",
    "name_header": "Their name",
    "conversation_header": "The conversation’s id",
}


@require_safe
def index(request: PageRequest) -> HttpResponse:
    """Show the programs that the user manages, and ways to connect one."""
    newest = ClientRequest.objects.filter(client=OuterRef("pk")).values("pk")[:1]
    usable = Prefetch("keys", ApiKey.objects.usable(), to_attr="usable_keys")
    rows = list(
        keys.clients_for(request.user).select_related("owner").prefetch_related(usable).annotate(last=Subquery(newest))
    )
    last = ClientRequest.objects.in_bulk([row.last for row in rows if row.last])
    shown = [
        {
            "pk": row.pk,
            "name": row.name,
            "owner": row.owner,
            "kind_name": kind_of(row.kind).name,
            "speakers": dict.fromkeys(key.speaker for key in row.usable_keys),
            "last": last.get(row.last),
        }
        for row in rows
    ]
    context = {
        "clients": shown,
        "kinds": KINDS.values(),
        "origins": settings.CONFIG.api_origins,
        "listed_as": settings.CONFIG.llm_listed_as,
    }
    return render(request, "clients/index.html", context)


@require_safe
def client(request: PageRequest, pk: int) -> HttpResponse:
    """Show what a program asked for, its keys, and what to set there."""
    row = _client(request, pk)
    kind = kind_of(row.kind)
    context = {"kind": kind, "keys": row.keys.all(), **_arrived(request, row), **_settings(request)}
    return render(request, "clients/client.html", context)


@require_safe
def requests(request: PageRequest, pk: int) -> HttpResponse:
    """Show what arrived, for the client's page that asks for it again and again."""
    return render(request, "clients/client.html#requests", _arrived(request, _client(request, pk)))


def _arrived(request: PageRequest, row: Client) -> dict[str, Any]:
    newest = row.requests.select_related("person", "turn__message__conversation")[:REQUESTS]
    return {"client": row, "requests": newest, "may_see_people": has_role(request.user, "operator")}


@require_safe
def connect(request: PageRequest) -> HttpResponse:
    """Show the form that connects a program, `?kind=`, or makes another key of one, `?client=`."""
    sent, number = request.POST, request.POST.get("client") or request.GET.get("client", "")
    row = _client(request, int(number)) if number.isascii() and number.isdigit() else None
    kind = kind_of(row.kind if row else sent.get("kind") or request.GET.get("kind", ""))
    values = sent.dict() or _usual(request, kind)
    context = {
        "client": row,
        "kind": kind,
        "sent": values,
        "header_fields": [(name, label, values.get(name, "")) for name, label in HEADERS.items()],
        "owners": keys.owners_for(request.user),
        "scopes": SCOPES,
        "expiries": EXPIRIES,
        "chosen": sent.getlist("scopes") if sent else ["chat"],
        "more": bool(sent),
    }
    return render(request, "clients/connect.html", context)


def _usual(request: PageRequest, kind: Kind) -> dict[str, Any]:
    """Return what is filled in at first: the ways of that kind of program."""
    taken = set(Client.objects.filter(name__startswith=kind.name).values_list("name", flat=True))
    names = [kind.name, *(f"{kind.name} {number}" for number in range(2, len(taken) + 2))]
    headers = {f"{part}_header": name for part, name in kind.headers.items()}
    return {
        "name": next((name for name in names if name not in taken), ""),
        "speaks_for": kind.speaks_for,
        "owner": str(request.user.pk),
        "a_minute": 60,
        "expires": "",
        **headers,
    }


@require_POST
@never_cache
@on_page(connect)
def make(request: PageRequest) -> HttpResponse:
    """Make a key, and show it this one time, with what to set in the program."""
    key, text = keys.create_as_asked(read(NewKey, request.POST, a_minute="Requests per minute"), by=request.user)
    context = {"key": key, "text": text, "kind": kind_of(key.client.kind), **_settings(request)}
    return render(request, "clients/connected.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: PageRequest, pk: int) -> HttpResponse:
    """Confirm revoking a key, and revoke it."""
    key = keys.key_for(request.user, pk)
    if request.method != "POST":
        return render(request, "clients/revoke.html", {"key": key})
    keys.revoke(key, by=request.user)
    message = f"{key.prefix}… of {key.client} was revoked. Programs that use it are refused."
    return answer(request, message, "clients:client", key.client_id)


def _client(request: PageRequest, pk: int) -> Client:
    rows = keys.clients_for(request.user).select_related("owner").filter(pk=pk)
    return first_or_404(rows, "There is no such program of yours. See the list of clients.")


def _settings(request: HttpRequest) -> dict[str, Any]:
    slugs = list(live_characters().values_list("slug", flat=True))
    return {"address": request.build_absolute_uri("/v1"), "models": slugs}
