"""Pages of signing in and out, the start page `/`, accounts for administrators, one's own account, and API keys."""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.contrib import auth, messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from kgadmin.accounts import keys, services, throttle
from kgadmin.accounts.context import first_page
from kgadmin.accounts.forms import Invitation, LoginForm, Rights
from kgadmin.accounts.models import ROLES, User
from kgadmin.accounts.roles import ADMINISTRATOR, PageRequest, role_required, roles_of
from kgadmin.accounts.services import account_for, all_accounts, demo_accounts
from kgadmin.rest.actions import answer, back, on_page, read

administrators = role_required(ADMINISTRATOR)


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Redirect to the first page of the user's role."""
    path = first_page(roles_of(request.user))
    return redirect(path) if path else render(request, "accounts/no_role.html")


@login_not_required
def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that a form is older than the session that sends it."""
    messages.error(request, "This page is older than your sign-in. Load it again, then send what you typed once more.")
    return render(request, "refused.html", status=403)


@login_not_required
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@on_page()
def login(request: HttpRequest) -> HttpResponse:
    """Sign in with name and password, or show the demo accounts."""
    if request.user.is_authenticated:
        return redirect("home")
    form = LoginForm(request, request.POST if request.method == "POST" else None)
    if form.is_bound and throttle.passes(request.POST.get("username", ""), request, form):
        auth.login(request, form.get_user())
        return redirect(back(request, "/"))
    context = {"form": form, "demo_accounts": demo_accounts(), "next": back(request, "/")}
    return render(request, "accounts/login.html", context, status=422 if form.is_bound else 200)


@login_not_required
@require_POST
def demo_login(request: HttpRequest) -> HttpResponse:
    """Sign in as a demo account, without a password."""
    user = demo_accounts().filter(username=request.POST.get("username", "")).first()
    if user is None:
        raise PermissionDenied("There is no such demo account. Sign in with a name and a password.")
    auth.login(request, user)
    return redirect(back(request, "/"))


@login_not_required
@require_POST
def logout(request: HttpRequest) -> HttpResponse:
    """Sign out."""
    auth.logout(request)
    return redirect(settings.LOGOUT_REDIRECT_URL)


@require_safe
@administrators
def index(request: PageRequest) -> HttpResponse:
    """Show all accounts, and the form that invites."""
    chosen = request.POST.getlist("roles")
    return render(request, "accounts/accounts.html", {"accounts": all_accounts(), "roles": _roles(chosen)})


@require_POST
@never_cache
@administrators
@on_page(index)
def invite(request: PageRequest) -> HttpResponse:
    """Create an account, and show the link to hand over."""
    asked = read(Invitation, request.POST, username="Name")
    return _show_link(request, services.invite(**asked.dict(), by=request.user))


@require_safe
@administrators
def account(request: PageRequest, pk: int) -> HttpResponse:
    """Show one account: roles, state, programs."""
    user = account_for(pk)
    context = {"account": user, "roles": _roles(user.roles), "clients": user.clients.all()}
    return render(request, "accounts/account.html", context)


@require_POST
@administrators
@on_page(account)
def give_roles(request: PageRequest, pk: int) -> HttpResponse:
    """Set the account's roles."""
    user = account_for(pk)
    services.give_roles(user, **read(Rights, request.POST).dict(), by=request.user)
    message = f"{user.username}: roles changed, effective from the next page."
    return answer(request, message, "accounts:account", pk)


@require_POST
@administrators
@on_page(account)
def switch(request: PageRequest, pk: int) -> HttpResponse:
    """Switch an account off, or on again."""
    user = account_for(pk)
    services.switch(user, on="on" in request.POST, by=request.user)
    return answer(request, f"{user.username} is switched {'on' if user.is_active else 'off'}.", "accounts:account", pk)


@require_POST
@never_cache
@administrators
@on_page(account)
def new_link(request: PageRequest, pk: int) -> HttpResponse:
    """Make a link that sets a new password, and show it."""
    return _show_link(request, account_for(pk))


def _show_link(request: PageRequest, user: User) -> HttpResponse:
    path = services.new_link(user, by=request.user)
    link = f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else request.build_absolute_uri(path)
    return render(request, "accounts/link_made.html", {"account": user, "link": link})


@login_not_required
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest, token: str) -> HttpResponse:
    """Set the password of the link's account, and sign in."""
    user = services.account_of_link(token)
    if user is None:
        return render(request, "accounts/link_used.html", status=410)
    form = SetPasswordForm(user, request.POST or None)
    if not form.is_valid():
        context = {"form": form, "account": user}
        return render(request, "accounts/link.html", context, status=422 if form.is_bound else 200)
    services.set_password(user, form.cleaned_data["new_password1"])
    auth.login(request, user)
    return answer(request, f"Welcome, {user.username}. Your password is set.", "home")


@require_safe
def own_account(request: PageRequest) -> HttpResponse:
    """Show the user's own account: roles, password, keys."""
    return _own_account(request, PasswordChangeForm(request.user))


@require_POST
@sensitive_post_parameters()
@on_page(own_account)
def change_password(request: PageRequest) -> HttpResponse:
    """Change the user's own password; asks for the old one, and signs out other browsers."""
    form = PasswordChangeForm(request.user, request.POST)
    if not services.change_own_password(request, request.user, form):
        return _own_account(request, form)
    return answer(request, "Your password was changed. Other browsers are signed out.", "accounts:own")


def _own_account(request: PageRequest, form: PasswordChangeForm) -> HttpResponse:
    form.fields["old_password"].widget.attrs.pop("autofocus", None)
    context = {"form": form, "roles": _roles(request.user.roles), "keys": keys.keys_for(request.user).usable().count()}
    return render(request, "accounts/own.html", context, status=422 if form.errors else 200)


def _roles(chosen: Collection[str]) -> list[dict[str, Any]]:
    return [{"name": name, "does": does, "chosen": name in chosen} for name, does in ROLES.items()]
