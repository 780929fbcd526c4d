"""Safety headers, refusal of keys in addresses, and the redirect to signing in."""

import re
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from kgadmin.rest.schemas import problem

HEADERS = {
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Resource-Policy": "same-origin",
}
KEY = re.compile(r"(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))kg-[A-Za-z0-9_-]{20,}")
"""Matches an API key, not within a word: the date in a one-time link may end in "kg"."""
KEY_IN_ADDRESS = (
    "This address contains an API key, which logs and histories store. Revoke that key, create a new one, and send it "
    "as a header: “Authorization: Bearer kg-…”."
)


class SafetyMiddleware(MiddlewareMixin):
    """Adds safety headers to every response; 400 for an address with an API key in it, valid or not."""

    def process_request(self, request: HttpRequest) -> HttpResponseBase | None:
        if not KEY.search(request.get_full_path()):
            return None
        if request.path.startswith("/v1/"):  # in OpenAI's form, as all errors there
            error = {
                "message": KEY_IN_ADDRESS,
                "type": "invalid_request_error",
                "param": None,
                "code": "key_in_address",
            }
            return JsonResponse({"error": error}, status=400)
        return problem(400, KEY_IN_ADDRESS)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response


class SignInMiddleware(LoginRequiredMiddleware):
    """Redirects to the sign-in page; answers htmx with 401, since it would swap that page into the current one."""

    def handle_no_permission(  # type: ignore[override]  # it need not be a redirect
        self, request: HttpRequest, view_func: Any
    ) -> HttpResponseBase:
        if "HX-Request" in request.headers:
            return HttpResponse("You are signed out.", status=HTTPStatus.UNAUTHORIZED, content_type="text/plain")
        if request.method in {"GET", "HEAD"}:
            return super().handle_no_permission(request, view_func)
        page = urlsplit(request.headers.get("Referer", ""))
        is_ours = page.netloc == request.get_host()
        back = page._replace(scheme="", netloc="", fragment="").geturl() if is_ours else "/"
        return redirect_to_login(back, self.get_login_url(view_func), self.get_redirect_field_name(view_func))
