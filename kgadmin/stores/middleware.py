"""Turns a store that does not answer into a page that says so."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from kgadmin.stores.errors import StoreError

RETRY_AFTER_SECONDS = "5"


class StoreErrorMiddleware(MiddlewareMixin):
    """503 for a `StoreError` that a view let through: problem+json (RFC 9457) for the API, else a page or fragment."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, StoreError):
            return None
        if request.path.startswith("/api/"):
            problem = {"type": "about:blank", "title": "A part of the program does not answer", "status": 503}
            content = {**problem, "detail": exception.message}
            answer: HttpResponse = JsonResponse(content, status=503, content_type="application/problem+json")
        else:
            template = "_unavailable.html" if getattr(request, "htmx", False) else "503.html"
            answer = render(request, template, {"message": exception.message}, status=503)
        if exception.retryable:
            answer["Retry-After"] = RETRY_AFTER_SECONDS
        return answer
