"""The audit log: who did what to what, when and why; nobody changes it."""

from asgiref.sync import sync_to_async
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from characters.profiles.access import characters_for
from kgadmin.accounts.roles import role_required
from kgadmin.operations.audit_log import exporting, finding, telling
from kgadmin.operations.audit_log.forms import LABELS, AuditFilter
from kgadmin.rest.actions import read

PRESSES_A_PAGE = 50


@require_safe
@role_required("operator")
def log(request: HttpRequest) -> HttpResponse:
    """A page of the log, the newest first, acts of one press together; with `?batch=` each of its acts by itself."""
    asked = read(AuditFilter, request.GET, **LABELS)
    found = finding.entries(asked)
    rows = found if asked.batch else finding.heads(found)
    page = Paginator(rows.select_related("detail"), PRESSES_A_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    context = {
        "filter": asked,
        "actors": finding.actors(),
        "verbs": finding.verbs(),
        "characters": characters_for(request.user).order_by("name", "pk"),
        "page": page,
        "is_one": bool(asked.batch),
        "presses": [] if asked.batch else telling.told_presses(finding.presses(shown, found)),
        "acts": telling.told(shown) if asked.batch else [],
    }
    return render(request, "operations/audit_log.html", context)


@role_required("operator")
async def export(request: HttpRequest, form: str) -> HttpResponseBase:
    """The log as a file, as the address filters it."""
    if request.method not in {"GET", "HEAD"}:
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    if form not in exporting.FORMS:
        raise Http404(f"There is no such form. Choose one of {', '.join(exporting.FORMS)}.")
    found = await sync_to_async(finding.entries)(read(AuditFilter, request.GET, **LABELS))
    pieces = exporting.stream(found, form)
    headers = {"Content-Disposition": f'attachment; filename="audit-log.{form}"'}
    return StreamingHttpResponse(pieces, content_type=exporting.FORMS[form][0], headers=headers)
