"""Making the draft live, or discarding it."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import ConflictError
from characters.authoring.editing.actions import back, writes
from characters.authoring.editing.page import account, begun, context, number_of, opened, seen, tab_of
from characters.profiles.documents import SheetError
from characters.profiles.models import Character
from kgadmin.accounts.roles import role_required


@require_GET
@role_required("author")
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What publishing will add, change and delete, before it does."""
    character = opened(request, slug)
    return render(request, "profiles/publish.html", context(request, character, begun(character), "publish"))


@require_POST
@role_required("author")
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish the draft as it was shown; where it has changed since, show it again."""
    character = opened(request, slug)
    given, note = request.POST, request.POST.get("note", "").strip()
    version, live = seen(request) or 0, number_of(given["live"]) if "live" in given else None
    try:
        revision = drafts.publish_draft(
            character, version=version, by=account(request), tab=tab_of(request), note=note, live=live
        )
    except ConflictError as error:
        messages.warning(request, str(error))
        return _shown_again(request, character, note, status=error.status)
    except SheetError as error:
        return _shown_again(request, character, note, error.problems, status=error.status)
    messages.success(request, f"Revision {revision.number} is live: the next turn uses it.")
    return redirect("profiles:edit", slug)


def _shown_again(
    request: HttpRequest, character: Character, note: str, problems: Sequence[str] = (), *, status: int
) -> HttpResponse:
    """The preview as things are now, with the note that was written."""
    now = Character.objects.select_related("live_revision").get(pk=character.pk)
    page = context(request, now, begun(now), "publish") | {"problems": problems, "note": note}
    return render(request, "profiles/publish.html", page, status=status)


@writes
def discard(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the draft be what is live again."""
    drafts.discard(opened(request, slug), by=account(request), tab=tab_of(request), seen=seen(request))
    messages.success(request, "The draft is what is live again.")
    return back(request, slug)
