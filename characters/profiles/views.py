"""Reading a character: the sheet with its revisions."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from characters.domain import facts as turn_facts
from characters.domain import sheet as values
from characters.profiles.access import character_for, may_edit
from characters.profiles.models import Predicate, Revision
from characters.profiles.sharing import sharing
from kgadmin.accounts.roles import role_required


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact with the sentence that a prompt says."""

    fact: values.Fact
    sentence: str


@require_GET
@role_required("author", "operator", "tester")
def sheet(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """A sheet: the live one, or an older revision."""
    character = character_for(request.user, slug)
    revision = character.live_revision if number is None else character.revisions.filter(number=number).first()
    if revision is None and number is None and may_edit(request.user, character):
        return redirect("profiles:edit", slug)  # nothing was published yet
    if revision is None:
        raise Http404(f"{character.name} has no such revision. The character's page lists them.")
    context = {
        "character": character,
        "revision": revision,
        "sheet": revision.sheet,
        "families": _by_family(revision, Predicate.objects.registry()),
        "revisions": character.revisions.defer("vectors", "document").select_related("created_by"),
        **sharing(request.user, character),
    }
    return render(request, "profiles/sheet.html", context)


def _by_family(revision: Revision, registry: Mapping[str, values.Predicate]) -> dict[str, list[FactRow]]:
    """The facts by predicate family, families in the order of their first fact."""
    families: dict[str, list[FactRow]] = {}
    for fact in revision.sheet.facts:
        predicate = registry.get(fact.predicate)
        family = predicate.family if predicate else "other"
        families.setdefault(family, []).append(FactRow(fact, turn_facts.sentence(fact, predicate)))
    return families
