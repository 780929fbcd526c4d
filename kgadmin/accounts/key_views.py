"""API keys: the list, making one, which is shown once, and revoking one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kgadmin.accounts import keys
from kgadmin.accounts.forms import EXPIRIES, NewKey
from kgadmin.accounts.models import SCOPES
from kgadmin.accounts.roles import PageRequest
from kgadmin.rest.actions import on_page, read

USUAL = {"a_minute": 60, "expires": "90", "remembers": "on"}


@require_safe
def index(request: PageRequest) -> HttpResponse:
    """One's own keys, an administrator's are all, and the form that makes one."""
    context = {
        "keys": keys.keys_for(request.user),
        "clients": keys.clients_for(request.user),
        "owners": keys.owners_for(request.user),
        "scopes": SCOPES,
        "expiries": EXPIRIES,
        "sent": request.POST.dict() or USUAL | {"owner": str(request.user.pk)},
        "chosen": request.POST.getlist("scopes") if request.POST else ["chat"],
    }
    return render(request, "accounts/keys.html", context)


@require_POST
@never_cache
@on_page(index)
def make(request: PageRequest) -> HttpResponse:
    """Make a key and show it, this once."""
    key, text = keys.create_as_asked(read(NewKey, request.POST, a_minute="Requests a minute"), by=request.user)
    address = request.build_absolute_uri("/v1")
    return render(request, "accounts/key_made.html", {"key": key, "text": text, "address": address})


@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: PageRequest, pk: int) -> HttpResponse:
    """Ask whether the key shall end, and end it."""
    key = keys.key_for(request.user, pk)
    if request.method != "POST":
        return render(request, "accounts/key_revoke.html", {"key": key})
    if keys.revoke(key, by=request.user):
        messages.success(request, f"{key.prefix}… of {key.client} is revoked. Whoever uses it is refused from now on.")
    else:
        messages.warning(request, "It was revoked before.")
    return redirect("accounts:keys")
