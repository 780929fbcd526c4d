"""Signing in and out, the first administrator, and where `/` leads."""

from django.conf import settings
from django.contrib import auth, messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from kgadmin.accounts import throttle
from kgadmin.accounts.context import first_page
from kgadmin.accounts.forms import FirstAdminForm, LoginForm
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import roles_of
from kgadmin.accounts.services import demo_accounts, is_first_admin_token, make_first_admin
from kgadmin.accounts.throttle import TooManyAttemptsError


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Lead to the first page of the user's role."""
    path = first_page(roles_of(request.user))
    return redirect(path) if path else render(request, "accounts/no_role.html")


@login_not_required
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Sign in with name and password, or see the demo accounts."""
    if request.user.is_authenticated:
        return redirect("home")
    form = LoginForm(request, request.POST or None)
    try:
        if form.is_bound and _is_right(request, form):
            auth.login(request, form.get_user())
            return redirect(_next(request))
    except TooManyAttemptsError as error:
        return _wait(request, error)
    context = {"form": form, "demo_accounts": demo_accounts(), "next": _next(request)}
    return render(request, "accounts/login.html", context, status=422 if form.is_bound else 200)


def _is_right(request: HttpRequest, form: LoginForm) -> bool:
    """Whether name and password fit; each attempt counts. Raises `TooManyAttemptsError`."""
    attempt = {"name": request.POST.get("username", ""), "address": request.META.get("REMOTE_ADDR") or ""}
    throttle.count(**attempt)
    if form.is_valid():
        throttle.forgive(**attempt)
    return form.is_valid()


def _wait(request: HttpRequest, error: TooManyAttemptsError) -> HttpResponse:
    context = {"form": LoginForm(request), "demo_accounts": demo_accounts(), "next": _next(request), "wait": str(error)}
    response = render(request, "accounts/login.html", context, status=429)
    response["Retry-After"] = str(error.retry_after)
    return response


@login_not_required
@require_POST
def demo_login(request: HttpRequest) -> HttpResponse:
    """Sign in as a demo account, without a password."""
    user = demo_accounts().filter(username=request.POST.get("username", "")).first()
    if user is None:
        raise PermissionDenied("There is no such demo account here. Sign in with a name and a password.")
    auth.login(request, user)
    return redirect(_next(request))


@login_not_required
@require_POST
def logout(request: HttpRequest) -> HttpResponse:
    """Sign out."""
    auth.logout(request)
    return redirect(settings.LOGOUT_REDIRECT_URL)


@login_not_required
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: HttpRequest, token: str) -> HttpResponse:
    """Make the first administrator, by a link that counts while there is no account."""
    if not is_first_admin_token(token):
        raise Http404
    if User.objects.exists():
        return render(request, "accounts/welcome_used.html", status=410)
    form = FirstAdminForm(request.POST or None)
    if not form.is_valid():
        return render(request, "accounts/welcome.html", {"form": form}, status=422 if form.is_bound else 200)
    admin = make_first_admin(username=form.cleaned_data["username"], password=form.cleaned_data["password1"])
    if admin is None:
        return render(request, "accounts/welcome_used.html", status=410)
    auth.login(request, admin)
    messages.success(request, f"Welcome, {admin.username}. You are the administrator, with all roles.")
    return redirect("home")


def _next(request: HttpRequest) -> str:
    """Where the user wanted to go: a page of this site, else home."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if ours else "/"
