"""Suggest facts from a text, and save what an author decides about each."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.authoring.models import MAX_OBJECT, MAX_SENTENCE, SuggestedFact
from characters.authoring.suggestions import by_model
from characters.domain import unseen
from characters.domain.entities import key
from characters.language.suggestions import patterns
from characters.language.suggestions.patterns import StatedFact as Found
from characters.profiles.documents import is_storable
from characters.profiles.learned.services import alike
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.accounts.models import User
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused, first_or_404
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import AnswerError

IDENTITY = "identity"
"""The source of suggestions from the draft's identity text."""
JOB_KIND = "suggest"
CHANGED = "This fact was changed after it was accepted, so it stays. If you don’t want it, delete it in the draft."
NO_MODEL = "No language model is connected. Set LLM_BASE_URL, or read it without the model."

State = SuggestedFact.State


def suggest(character: Character, text: str, *, source: str) -> int:
    """Suggest the facts that patterns find in `text`; return how many suggestions are new."""
    matches = patterns.extract(text, names=_names_of(character), registered=Predicate.objects.registry())
    return save(character, text, matches, source=source, is_by_model=False)


def suggest_from_identity(character: Character) -> int:
    """Suggest the facts that patterns find in the draft's identity text; return how many are new."""
    return suggest(character, drafts.draft_of(character).sheet.identity, source=IDENTITY)


def _names_of(character: Character) -> set[str]:
    return {character.name, drafts.draft_of(character).sheet.name} - {""}


def ask_model(character: Character, *, by: User | None) -> Job:
    """Start a job that asks the model for facts in the draft's identity text. Raises `Refused` if none is connected."""
    if not wiring.language_model().judges:
        raise Refused(NO_MODEL, status=409)
    return jobs.start(kind=JOB_KIND, subject=character.graph_id, by=by)


def job_of(character: Character) -> Job | None:
    """Return the last job that asked a model."""
    return Job.objects.filter(kind=JOB_KIND, subject=character.graph_id).first()


def run(job: Job) -> None:
    """Ask the language model for the facts in the identity text of the job's subject. Raises `StoreError`."""
    character = Character.objects.filter(pk=job.subject.rpartition(":")[2]).first()
    if character is None:
        return
    text = drafts.draft_of(character).sheet.identity
    matches: list[Found] = []
    total = len(by_model.pieces(text))
    names, registered = _names_of(character), Predicate.objects.registry()
    try:
        read = by_model.extract(text, names=names, registered=registered, model=wiring.language_model())
        for done, piece in enumerate(read, start=1):
            matches += piece
            job.progress(done=done, total=total, note="Reading the identity text")
    except AnswerError as error:
        sentence = f"The language model's answer can't be used: {error}. Nothing was taken from it; try again."
        raise StoreError(sentence, retryable=False) from error
    save(character, text, matches, source=IDENTITY, is_by_model=True)


@transaction.atomic
def save(character: Character, text: str, matches: Iterable[Found], *, source: str, is_by_model: bool) -> int:
    """Replace what waits from an earlier reading of this source by new suggestions; return how many are new."""
    known = _known(drafts.draft_of(character))
    new = (match for match in matches if (match.predicate, key(match.object)) not in known)
    rows = [_row(character, text, match, source, is_by_model) for match in new]
    names = {(row.predicate, row.key) for row in rows}
    earlier = SuggestedFact.objects.filter(character=character, source=source, by_model=is_by_model).waiting()
    earlier.filter(pk__in=[row.pk for row in earlier if (row.predicate, row.key) not in names]).delete()
    before = SuggestedFact.objects.filter(character=character).count()
    SuggestedFact.objects.bulk_create(rows, ignore_conflicts=True)
    return SuggestedFact.objects.filter(character=character).count() - before


def _row(character: Character, text: str, match: Found, source: str, is_by_model: bool) -> SuggestedFact:
    object = match.object[:MAX_OBJECT].strip()
    return SuggestedFact(
        character=character,
        predicate=match.predicate,
        object=object,
        key=key(object)[:MAX_OBJECT],
        source=source[:60],
        sentence=text[match.start : match.end][:MAX_SENTENCE],
        start=match.start,
        end=match.end,
        by_model=is_by_model,
    )


def _known(draft: Draft) -> set[tuple[str, str]]:
    """Return what the draft's facts say, each with the predicates that say nearly the same."""
    facts = [(fact.predicate, key(fact.object)) for fact in draft.sheet.facts]
    return {(name, object) for predicate, object in facts for name in alike(predicate)}


def open_suggestions(character: Character) -> list[SuggestedFact]:
    """Return suggestions that wait for a decision, without those that the draft now says."""
    known = _known(drafts.draft_of(character))
    waiting = SuggestedFact.objects.filter(character=character).waiting()
    return [row for row in waiting if (row.predicate, row.key) not in known]


def decide(suggestion: SuggestedFact, verb: str, *, by: User | None, tab: str = "", object: str = "") -> str:
    """Accept, dismiss or undo, as `verb` says; return a sentence that says what was done. Raises `Refused`."""
    if verb == "accept":
        return accept(suggestion, by=by, tab=tab, object=object)
    if verb == "dismiss":
        return dismiss(suggestion, by=by)
    if verb == "undo":
        return undo(suggestion, by=by, tab=tab)
    raise Refused("Choose accept, dismiss or undo.", status=409)


@transaction.atomic
def accept(suggestion: SuggestedFact, *, by: User | None, tab: str = "", object: str = "") -> str:
    """Add the fact to the draft without hidden characters, with another object if one is given. Raises `Refused`."""
    suggestion = _locked(suggestion, State.WAITING)
    object = " ".join(unseen.without(object or suggestion.object).split())
    if not object or len(object) > MAX_OBJECT or not is_storable(object):
        raise Refused(f"Write an object of at most {MAX_OBJECT} characters.", status=409)
    suggestion.object = object
    added: list[str] = []

    def edits(draft: Draft) -> list[Edit]:
        facts = draft.document["facts"]
        if any((fact["predicate"], key(fact["object"])) == (suggestion.predicate, key(object)) for fact in facts):
            return []
        added.append(drafts.next_fact_id(draft))
        return [Edit(f"fact:{added[0]}", _as_added(added[0], suggestion))]

    drafts.change(suggestion.character, edits, by=by, tab=tab)
    suggestion.fact_id = "".join(added)
    _decide(suggestion, State.ACCEPTED, by)
    return f"Added to the draft: {suggestion}." if added else "It is already in the draft."


def _as_added(fact_id: str, suggestion: SuggestedFact) -> dict[str, Any]:
    return {"id": fact_id, "predicate": suggestion.predicate, "object": suggestion.object, "questions": []}


@transaction.atomic
def dismiss(suggestion: SuggestedFact, *, by: User | None) -> str:
    """Dismiss a suggestion, so that it isn't made again. Raises `Refused`."""
    suggestion = _locked(suggestion, State.WAITING)
    _decide(suggestion, State.DISMISSED, by)
    return f"Dismissed: {suggestion}."


@transaction.atomic
def undo(suggestion: SuggestedFact, *, by: User | None, tab: str = "") -> str:
    """Let a suggestion wait again and remove the fact that accepting it added. Raises `Refused` if that was changed."""
    suggestion = _locked(suggestion, State.ACCEPTED, State.DISMISSED)
    part = f"fact:{suggestion.fact_id}"

    def edits(draft: Draft) -> list[Edit]:
        there = parts.get(draft.document, part)
        if there not in (None, _as_added(suggestion.fact_id, suggestion)):
            raise Refused(CHANGED, status=409)
        return [Edit(part, None)] if there else []

    if suggestion.fact_id:
        drafts.change(suggestion.character, edits, by=by, tab=tab)
    suggestion.fact_id = ""
    _decide(suggestion, State.WAITING, None)
    return "It is waiting again."


def _locked(suggestion: SuggestedFact, *states: str) -> SuggestedFact:
    rows = SuggestedFact.objects.select_for_update(of=("self",)).select_related("character")
    row = rows.filter(pk=suggestion.pk, state__in=states).first()
    if row is None:
        raise Refused("Someone else has already decided this. Refresh the list.", status=409)
    return row


def _decide(suggestion: SuggestedFact, state: str, by: User | None) -> None:
    suggestion.state = state
    suggestion.decided_by = by
    suggestion.decided_at = None if state == State.WAITING else timezone.now()
    suggestion.save()


def suggestion_for(character: Character, pk: int) -> SuggestedFact:
    """Return one of the character's suggestions; 404 if there is none."""
    rows = SuggestedFact.objects.filter(character=character, pk=pk).select_related("decided_by")
    return first_or_404(rows, "There is no such suggestion. See the list of suggestions.")
