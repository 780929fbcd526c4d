"""The audit log: who did what to what, when and why; nobody changes it."""

from asgiref.sync import sync_to_async
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kgadmin.accounts.roles import role_required
from kgadmin.audit.models import Entry
from kgadmin.operations.audit_log import exporting, finding, telling
from kgadmin.operations.audit_log.forms import FilterForm

PRESSES_A_PAGE = 50
INVALID = 400


@require_safe
@role_required("operator")
def log(request: HttpRequest) -> HttpResponse:
    """A page of the log, the newest first, acts of one press together; with `?batch=` each of its acts by itself."""
    form = FilterForm(request.GET, user=request.user)
    found = finding.entries(form.wanted()) if form.is_valid() else Entry.objects.none()
    is_one = bool(form.is_valid() and form.cleaned_data["batch"])
    rows = found if is_one else finding.heads(found)
    page = Paginator(rows.select_related("detail"), PRESSES_A_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    context = {
        "filter": form,
        "page": page,
        "is_one": is_one,
        "presses": [] if is_one else telling.told_presses(finding.presses(shown, found)),
        "acts": telling.told(shown) if is_one else [],
    }
    return render(request, "operations/audit_log.html", context, status=200 if form.is_valid() else INVALID)


@role_required("operator")
async def export(request: HttpRequest, form: str) -> HttpResponseBase:
    """The log as a file, as the address filters it."""
    if request.method not in {"GET", "HEAD"}:
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    if form not in exporting.FORMS:
        raise Http404(f"There is no such form. Choose one of {', '.join(exporting.FORMS)}.")
    asked = await sync_to_async(FilterForm)(request.GET, user=request.user)
    if not await sync_to_async(asked.is_valid)():
        return HttpResponse("This filter can't be used. Mend it on the page of the log.", status=INVALID)
    pieces = exporting.stream(finding.entries(asked.wanted()), form)
    headers = {"Content-Disposition": f'attachment; filename="audit-log.{form}"'}
    return StreamingHttpResponse(pieces, content_type=exporting.FORMS[form][0], headers=headers)
