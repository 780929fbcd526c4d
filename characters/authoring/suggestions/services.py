"""Suggesting facts out of a text, and what an author decides about each."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils import timezone

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.authoring.suggestions.models import MAX_OBJECT, MAX_SENTENCE, SuggestedFact
from characters.domain import unseen
from characters.domain.entities import key
from characters.language.suggestions import patterns
from characters.language.suggestions.found import Found
from characters.profiles.documents import is_storable
from characters.profiles.learned.overlaps import alike
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.accounts.models import User
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused
from kgadmin.stores import wiring

IDENTITY = "identity"
"""The source of what the draft's own identity text says."""
JOB_KIND = "suggest"
CHANGED = "This fact was changed after it was accepted, so it stays. If you don’t want it, delete it in the draft."
NO_MODEL = "No language model is connected. Set LLM_BASE_URL, or read it without the model."

State = SuggestedFact.State


def suggest(character: Character, text: str, *, source: str) -> int:
    """Read facts out of `text` by patterns and keep those that are new; how many these are."""
    return keep(character, text, _by_patterns(character, text), source=source, by_model=False)


def suggest_from_identity(character: Character) -> int:
    """`suggest` out of the draft's identity text."""
    return suggest(character, drafts.draft_of(character).sheet.identity, source=IDENTITY)


def _by_patterns(character: Character, text: str) -> list[Found]:
    names = names_of(character)
    return patterns.extract(text, names=names, registered=Predicate.objects.registry())


def names_of(character: Character) -> set[str]:
    """What a text about her may call her."""
    return {character.name, drafts.draft_of(character).sheet.name} - {""}


def ask_model(character: Character, *, by: User | None) -> Job:
    """Let a worker ask the language model for facts in the draft's identity text. Its job tells how it went.

    Raises `Refused` where none is connected.
    """
    if not wiring.language_model().judges:
        raise Refused(NO_MODEL, status=409)
    return jobs.start(kind=JOB_KIND, subject=subject_of(character), by=by)


def subject_of(character: Character) -> str:
    """The subject of her jobs."""
    return f"character:{character.pk}"


def job_of(character: Character) -> Job | None:
    """The last time that a model was asked."""
    return Job.objects.filter(kind=JOB_KIND, subject=subject_of(character)).first()


@transaction.atomic
def keep(character: Character, text: str, found: Iterable[Found], *, source: str, by_model: bool) -> int:
    """Save what was found and neither stands in the draft nor was suggested before; how many these are.

    What waited from an earlier reading of this source and isn't found any more goes.
    """
    known = _known(drafts.draft_of(character))
    rows = [_row(character, text, each, source, by_model) for each in found if not _is_known(each, known)]
    earlier = SuggestedFact.objects.filter(character=character, source=source, by_model=by_model).waiting()
    kept = {(row.predicate, row.key) for row in rows}
    earlier.filter(pk__in=[row.pk for row in earlier if (row.predicate, row.key) not in kept]).delete()
    before = SuggestedFact.objects.filter(character=character).count()
    SuggestedFact.objects.bulk_create(rows, ignore_conflicts=True)
    return SuggestedFact.objects.filter(character=character).count() - before


def _row(character: Character, text: str, found: Found, source: str, by_model: bool) -> SuggestedFact:
    said = found.object[:MAX_OBJECT].strip()
    return SuggestedFact(
        character=character,
        predicate=found.predicate,
        object=said,
        key=key(said)[:MAX_OBJECT],
        source=source[:60],
        sentence=text[found.start : found.end][:MAX_SENTENCE],
        start=found.start,
        end=found.end,
        by_model=by_model,
    )


def _known(draft: Draft) -> set[tuple[str, str]]:
    """What the draft's facts say, each with the predicates that say nearly the same."""
    facts = [(fact.predicate, key(fact.object)) for fact in draft.sheet.facts]
    return {(name, said) for predicate, said in facts for name in alike(predicate)}


def _is_known(found: Found, known: set[tuple[str, str]]) -> bool:
    return (found.predicate, key(found.object)) in known


def open_suggestions(character: Character) -> list[SuggestedFact]:
    """What waits for a decision, without what an author wrote into the draft meanwhile."""
    known = _known(drafts.draft_of(character))
    waiting = SuggestedFact.objects.filter(character=character).waiting()
    return [row for row in waiting if (row.predicate, row.key) not in known]


@transaction.atomic
def accept(suggestion: SuggestedFact, *, by: User | None, tab: str = "", object: str = "") -> str:
    """Add the fact to the draft, with another object if one is given; a sentence that says what was done.

    Hidden characters carry no meaning, and aren't taken over.

    Raises `Refused` where it was decided already or the object can't be taken.
    """
    suggestion = _locked(suggestion, State.WAITING)
    said = " ".join(unseen.without(object or suggestion.object).split())
    if not said or len(said) > MAX_OBJECT or not is_storable(said):
        raise Refused(f"Write an object of at most {MAX_OBJECT} characters.", status=409)
    there = next((fact for fact in _facts(suggestion) if _says(fact, suggestion.predicate, said)), None)
    suggestion.fact_id = "" if there else _add(suggestion, said, by, tab)
    suggestion.object = said
    _decide(suggestion, State.ACCEPTED, by)
    return "It is already in the draft." if there else f"Added to the draft: {suggestion.predicate} “{said}”."


def _facts(suggestion: SuggestedFact) -> list[dict[str, Any]]:
    facts: list[dict[str, Any]] = drafts.draft_of(suggestion.character).document["facts"]
    return facts


def _says(fact: dict[str, Any], predicate: str, said: str) -> bool:
    return bool(fact["predicate"] == predicate and key(fact["object"]) == key(said))


def _add(suggestion: SuggestedFact, said: str, by: User | None, tab: str) -> str:
    """Save it as a new fact; its id."""

    def made(draft: Draft) -> list[Edit]:
        fact_id = drafts.next_fact_id(draft)
        return [Edit(f"fact:{fact_id}", _as_added(fact_id, suggestion.predicate, said))]

    document = drafts.change(suggestion.character, made, by=by, tab=tab).document
    return str(document["facts"][-1]["id"])  # a new row comes last


def _as_added(fact_id: str, predicate: str, said: str) -> dict[str, Any]:
    return {"id": fact_id, "predicate": predicate, "object": said, "questions": []}


@transaction.atomic
def dismiss(suggestion: SuggestedFact, *, by: User | None) -> str:
    """Say that it is no fact of hers; it isn't suggested again. Raises `Refused`."""
    suggestion = _locked(suggestion, State.WAITING)
    _decide(suggestion, State.DISMISSED, by)
    return f"Dismissed: {suggestion.predicate} “{suggestion.object}”."


@transaction.atomic
def undo(suggestion: SuggestedFact, *, by: User | None, tab: str = "") -> str:
    """Let it wait again, and take the fact that accepting it added out of the draft.

    Raises `Refused` where somebody changed that fact since, be it a question of it: that isn't ours to delete.
    """
    suggestion = _locked(suggestion, State.ACCEPTED, State.DISMISSED)
    if suggestion.fact_id:
        _take_back(suggestion, by, tab)
    suggestion.fact_id = ""
    _decide(suggestion, State.WAITING, None)
    return "It is waiting again."


def _take_back(suggestion: SuggestedFact, by: User | None, tab: str) -> None:
    part = f"fact:{suggestion.fact_id}"

    def removed(draft: Draft) -> list[Edit]:
        there = parts.get(draft.document, part)
        if there not in (None, _as_added(suggestion.fact_id, suggestion.predicate, suggestion.object)):
            raise Refused(CHANGED, status=409)
        return [Edit(part, None)] if there else []

    drafts.change(suggestion.character, removed, by=by, tab=tab)


def _locked(suggestion: SuggestedFact, *states: str) -> SuggestedFact:
    rows = SuggestedFact.objects.select_for_update(of=("self",)).select_related("character")
    found = rows.filter(pk=suggestion.pk, state__in=states).first()
    if found is None:
        raise Refused("Someone else has already decided this. Refresh the list.", status=409)
    return found


def _decide(suggestion: SuggestedFact, state: str, by: User | None) -> None:
    suggestion.state = state
    suggestion.decided_by = by
    suggestion.decided_at = None if state == State.WAITING else timezone.now()
    suggestion.save()


def suggestion_for(character: Character, pk: int) -> SuggestedFact:
    """One of her suggestions; 404 if there is none."""
    found = SuggestedFact.objects.filter(character=character, pk=pk).first()
    if found is None:
        raise Http404("There is no such suggestion. See the list of suggestions.")
    return found
