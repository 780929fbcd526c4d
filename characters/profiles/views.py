"""Pages to read a character: the sheet with its revisions, and who may edit it."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from characters.profiles import access
from characters.profiles.access import AS, character_for, may_edit, revision_of, sharing
from characters.profiles.documents import FactRow, fact_rows
from characters.profiles.models import Character, Predicate, Revision
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.rest.actions import Refused, answer, on_page


@require_GET
@role_required("author", "operator", "tester")
def sheet(request: PageRequest, slug: str, number: int | None = None) -> HttpResponse:
    """A sheet: the live one, or an older revision."""
    character = character_for(request.user, slug)
    if number is None and character.live_revision is None and may_edit(request.user, character):
        return redirect("profiles:edit", slug)  # nothing was published yet
    revision = revision_of(character, number)
    context = {
        "character": character,
        "revision": revision,
        "sheet": revision.sheet,
        "families": _by_family(revision),
        "revisions": character.revisions.defer("vectors", "document").select_related("created_by"),
        "sharing": sharing(request.user, character),
        "bases": KnowledgeBase.objects.names(),
    }
    return render(request, "profiles/sheet.html", context)


def _by_family(revision: Revision) -> dict[str, list[FactRow]]:
    families: dict[str, list[FactRow]] = {}
    for row in fact_rows(revision.sheet, Predicate.objects.registry()):
        families.setdefault(row.family, []).append(row)
    return families


@require_POST
@role_required("author")
@on_page(sheet)
def share(request: PageRequest, slug: str) -> HttpResponse:
    """Let an account edit or read the character, or no longer."""
    character = character_for(request.user, slug, to_share=True)
    name, role = request.POST.get("user", ""), request.POST.get("role", "")
    return answer(request, _share(character, name, role, request.user), _panel(slug))


def _share(character: Character, name: str, role: str, by: User) -> str:
    if role == "none":
        access.unshare(character=character, username=name, by=by)
        return f"{name} can no longer read {character.name} through this list."
    if role not in AS:
        raise Refused("Choose editor or viewer.")
    user = access.account_named(name)
    access.share(character=character, user=user, may_edit=AS[role], by=by)
    return f"{user} is {'an' * AS[role] or 'a'} {role} of {character.name} now."


@require_POST
@role_required("author")
@on_page(sheet)
def hand_over(request: PageRequest, slug: str) -> HttpResponse:
    """Give the character to another author."""
    character = character_for(request.user, slug, to_share=True)
    user = access.account_named(request.POST.get("user", ""))
    access.hand_over(character=character, to=user, by=request.user)
    return answer(request, f"{user} owns {character.name} now.", _panel(slug))


def _panel(slug: str) -> str:
    return f"{reverse('profiles:sheet', args=[slug])}#who"
