"""Signing in and out, and where `/` leads."""

from django.conf import settings
from django.contrib import auth
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from kgadmin.accounts import throttle
from kgadmin.accounts.context import first_page
from kgadmin.accounts.forms import LoginForm
from kgadmin.accounts.roles import roles_of
from kgadmin.accounts.services import demo_accounts
from kgadmin.rest.actions import back, on_page


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Lead to the first page of the user's role."""
    path = first_page(roles_of(request.user))
    return redirect(path) if path else render(request, "accounts/no_role.html")


@login_not_required
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@on_page()
def login(request: HttpRequest) -> HttpResponse:
    """Sign in with name and password, or see the demo accounts."""
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
