"""The audit log: who did what to what, when and why; nobody changes it."""

from asgiref.sync import sync_to_async
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from characters.profiles.access import characters_for
from kgadmin.accounts.roles import role_required
from kgadmin.operations.audit_log import entries
from kgadmin.operations.audit_log.entries import LABELS, AuditFilter
from kgadmin.operations.audit_log.export import FORMS, stream
from kgadmin.rest.actions import read

PRESSES_A_PAGE = 50


@require_safe
@role_required("operator")
def log(request: HttpRequest) -> HttpResponse:
    """A page of the log, the newest first, acts of one press together; with `?batch=` each of its acts by itself."""
    asked = read(AuditFilter, request.GET, **LABELS)
    rows = entries.entries(asked)
    page = Paginator(rows if asked.batch else entries.heads(rows), PRESSES_A_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    context = {
        "filter": asked,
        "actors": entries.actors(),
        "verbs": entries.verbs(),
        "characters": characters_for(request.user).order_by("name", "pk"),
        "page": page,
        "is_one": bool(asked.batch),
        "presses": [] if asked.batch else entries.presses(shown, rows),
        "acts": entries.acts_of(shown) if asked.batch else [],
    }
    return render(request, "operations/audit_log.html", context)


@role_required("operator")
async def export(request: HttpRequest, form: str) -> HttpResponseBase:
    """The log as a file, as the address filters it."""
    if request.method not in {"GET", "HEAD"}:
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    if form not in FORMS:
        raise Http404(f"There is no such form. Choose one of {', '.join(FORMS)}.")
    rows = await sync_to_async(entries.entries)(read(AuditFilter, request.GET, **LABELS))
    headers = {"Content-Disposition": f'attachment; filename="audit-log.{form}"'}
    return StreamingHttpResponse(stream(rows, form), content_type=FORMS[form][0], headers=headers)
