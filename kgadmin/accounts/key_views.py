"""API keys: the list, making one, which is shown once, and revoking one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kgadmin.accounts import keys
from kgadmin.accounts.forms import KeyForm
from kgadmin.accounts.roles import PageRequest


@require_safe
def index(request: PageRequest) -> HttpResponse:
    """One's own keys, an administrator's are all, and the form that makes one."""
    start = {"a_minute": 60, "expires": "90", "remembers": True, "scopes": ["chat"], "owner": request.user.pk}
    return _index(request, KeyForm(user=request.user, initial=start))


def _index(request: PageRequest, form: KeyForm) -> HttpResponse:
    context = {"keys": keys.keys_for(request.user), "form": form}
    return render(request, "accounts/keys.html", context, status=422 if form.errors else 200)


@require_POST
@never_cache
def make(request: PageRequest) -> HttpResponse:
    """Make a key and show it, this once."""
    form = KeyForm(request.POST, user=request.user)
    if not form.is_valid():
        return _index(request, form)
    key, text = form.make()
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
