"""Learned facts: learn, suspend, archive, restore, take back, pin, count uses, decay.

Every change is written into the audit log; graph and vectors follow.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, F, Max, Q
from django.utils import timezone

from characters.domain import sheet as values
from characters.domain import unseen, words
from characters.domain.entities import key
from characters.domain.facts import sentence
from characters.domain.sheet import Fact, Sheet, learned_pk
from characters.language.contradictions import contradiction
from characters.profiles.models import Character, LearnedFact, Predicate
from kgadmin import locks
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.audit.services import Act, record
from kgadmin.projection.tasks import sweep
from kgadmin.rest.actions import Refused

State = LearnedFact.State
DECAYS_AFTER = timedelta(days=30)
LEAST_USES = 3
"""Uses below which an old fact is archived."""
PROMOTED = "promoted"
"""Reason for archiving a fact that is in the sheet now."""
MAX_OBJECT = 500
ALIKE = (
    frozenset({"LIKES", "LOVES", "ENJOYS"}),
    frozenset({"DISLIKES", "HATES"}),
    frozenset({"IS_A", "HAS_JOB", "WORKS_AS"}),
    frozenset({"HAS_HOBBY", "ENJOYS"}),
)
"""Predicates that say nearly the same of the same object."""


@contextmanager
def one_sweep() -> Iterator[None]:
    """Kick the projector once for all changes in this block; the periodic sweep finds what a killed worker leaves."""
    token = _GATHERED.set(True)
    try:
        yield
    finally:
        _GATHERED.reset(token)
        sweep.delay_on_commit()


def _kick() -> None:
    if not _GATHERED.get():
        sweep.delay_on_commit()


_GATHERED: ContextVar[bool] = ContextVar("gathered", default=False)


def learn(
    character: Character, *, predicate: str, object: str, confidence: float, at: datetime | None = None
) -> LearnedFact:
    """Add a learned fact, in use from the next turn on. Raises `Refused`; the caller writes the log.

    Call it in a transaction. It locks the character's row, so that the cap holds and no publish interferes.
    """
    now = _locked(character.pk)
    if refused := why_not(now, predicate=predicate, object=object):
        raise Refused(refused)
    fact = now.learned.create(
        predicate=Predicate.objects.get(name=predicate),
        object=cleaned(object),
        confidence=confidence,
        learned_at=at or timezone.now(),
    )
    _kick()
    return fact


def why_not(character: Character, *, predicate: str, object: str) -> str:
    """Return why the character can't learn it now, as a sentence; empty if it can."""
    registry, text, sheet = Predicate.objects.registry(), cleaned(object), character.sheet
    if predicate not in registry or not registry[predicate].learnable:
        return f"{predicate} can't be learned: only tastes and opinions can. An author can add it to the sheet."
    if not text or len(text) > MAX_OBJECT:
        return f"The object has {len(text)} characters; between 1 and {MAX_OBJECT} are allowed."
    same = Count("pk", filter=Q(predicate__name=predicate, object__iexact=text))
    active = character.learned.active().aggregate(all=Count("pk"), same=same)
    most = sheet.settings.most_learned if sheet else 0
    if active["all"] >= most:
        return f"{character.name} has {most} learned facts in use, which is the most allowed. Archive one first."
    if active["same"]:
        return f"{character.name} has learned that already: {predicate} {text}."
    return _why_not_beside(sheet, Fact("", predicate, text), registry) if sheet else ""


def _why_not_beside(sheet: Sheet, fact: Fact, registry: Mapping[str, values.Predicate]) -> str:
    if core := repeated(sheet, fact):
        return f"The sheet already says this: {core.predicate} {core.object}."
    if core := next(contradicted(sheet.facts, fact, registry), None):
        return f"The sheet contradicts this: {core.predicate} {core.object}. Core facts take precedence."
    return ""


def alike(predicate: str) -> set[str]:
    """Return the predicate, and those that say nearly the same of an object."""
    return {predicate}.union(*(group for group in ALIKE if predicate in group))


def repeated(sheet: Sheet, fact: Fact) -> Fact | None:
    """Return the first core fact that says the same of the same object."""
    predicates, of = alike(fact.predicate), key(fact.object)
    return next((core for core in sheet.facts if core.predicate in predicates and key(core.object) == of), None)


def contradicted(facts: Iterable[Fact], fact: Fact, registry: Mapping[str, values.Predicate]) -> Iterator[Fact]:
    """Return the facts that contradict `fact`."""
    statement, stems = _sentence(fact, registry), set(words.stems(fact.object))
    has_one = fact.predicate in registry and not registry[fact.predicate].many
    for other in facts:
        is_one = has_one and other.predicate == fact.predicate
        if not is_one and stems.isdisjoint(words.stems(other.object)):
            continue
        if contradiction(_sentence(other, registry), statement, only_one=is_one):
            yield other


def _sentence(fact: Fact, registry: Mapping[str, values.Predicate]) -> str:
    return sentence(fact, registry.get(fact.predicate))


def corrected(character: Character, *, predicate: str, object: str) -> list[LearnedFact]:
    """Return learned facts in use that contradict this one: learning it replaces them."""
    active = {row.fact: row for row in character.learned.active().select_related("predicate").defer("vectors")}
    fact = Fact("", predicate, cleaned(object))
    return [active[each] for each in contradicted(active, fact, Predicate.objects.registry())]


def cleaned(object: str) -> str:
    """Return an object with single blanks and without hidden characters, which a model would read.

    Joiners that shape letters or emoji carry meaning and stay (`characters.domain.unseen`).
    """
    return " ".join(unseen.without(object).split())


def _locked(pk: int) -> Character:
    """Lock the character against publishing and learning until the transaction ends.

    Read the sheet afterwards: a join with the locked row would return the old one.
    """
    return Character.objects.select_for_update().get(pk=pk)


def change(
    fact: LearnedFact, state: LearnedFact.State, *, by: User | None, reason: str = "", batch: str = ""
) -> LearnedFact:
    """Archive, restore or take back a fact. Raises `Refused` if it can't come back into use."""
    with locks.atomic(Refused):
        character = _locked(fact.character_id)
        now = LearnedFact.objects.select_related("predicate").get(pk=fact.pk)
        if now.state == state:
            return now
        if now.state == State.TAKEN_BACK:
            raise Refused("Its approval was undone. Approve its proposal again instead.")
        refused = why_not(character, predicate=now.predicate.name, object=now.object) if state == State.ACTIVE else ""
        if refused:
            raise Refused(refused)
        before = now.state
        now.state, now.suspended_by = state, ""
        now.save(update_fields=["state", "suspended_by"])
        _record(now, character, _VERBS[state], before, by=by, reason=reason, batch=batch)
        _kick()
    return now


def expiries(facts: Iterable[LearnedFact]) -> dict[int, datetime]:
    """Return by id when facts will be archived unless used more; facts that don't decay are left out."""
    decaying = [fact for fact in facts if fact.state == State.ACTIVE and not fact.pinned and fact.uses < LEAST_USES]
    back = Entry.objects.filter(subject__in=[graph_name(fact) for fact in decaying], verb__in=_CAME_BACK)
    came_back = {row["subject"]: row["last"] for row in back.order_by().values("subject").annotate(last=Max("at"))}
    since = {fact.pk: max(fact.learned_at, came_back.get(graph_name(fact), fact.learned_at)) for fact in decaying}
    return {pk: at + DECAYS_AFTER for pk, at in since.items()}


_VERBS = {State.ACTIVE: "restored", State.ARCHIVED: "archived", State.TAKEN_BACK: "took back"}
_CAME_BACK = ("restored", "resumed")


def pin(fact: LearnedFact, *, pinned: bool, by: User | None) -> None:
    """Protect a fact from decay, or stop protecting it. Raises `Refused`."""
    with locks.atomic(Refused):
        character = _locked(fact.character_id)  # before the fact, in the same order as publishing
        if LearnedFact.objects.filter(pk=fact.pk, pinned=not pinned).update(pinned=pinned):
            record(Act("pinned" if pinned else "unpinned", graph_name(fact), character.graph_id), actor=by)
            _kick()  # pinned ones come first under the cap


def follow(character: Character, sheet: Sheet, *, by: User | None, batch: str = "") -> None:
    """Suspend facts that a sheet going live contradicts, and restore those it no longer contradicts.

    Facts that the sheet has are archived. Call it in the transaction that publishes.
    """
    rows = character.learned.filter(state__in=[State.ACTIVE, State.SUSPENDED]).select_related("predicate")
    registry = Predicate.objects.registry()
    for fact in rows:
        before, (state, why) = fact.state, _beside(sheet, fact, registry)
        if (before, fact.suspended_by) == (state, why):
            continue
        fact.state, fact.suspended_by = state, why
        fact.save(update_fields=["state", "suspended_by"])
        if before != state:
            reason = PROMOTED if state == State.ARCHIVED else ""
            _record(fact, character, _FOLLOWED[state], before, by=by, reason=reason, batch=batch)


_FOLLOWED = {State.ACTIVE: "resumed", State.SUSPENDED: "suspended", State.ARCHIVED: "archived"}


def _beside(sheet: Sheet, fact: LearnedFact, registry: Mapping[str, values.Predicate]) -> tuple[LearnedFact.State, str]:
    """Return the state of a fact while this sheet is live, and the core fact that suspends it."""
    if repeated(sheet, fact.fact) is not None:
        return State.ARCHIVED, ""
    core = next(contradicted(sheet.facts, fact.fact, registry), None)
    return (State.SUSPENDED, core.id) if core else (State.ACTIVE, "")


@transaction.atomic
def count_uses(ids: Iterable[str], at: datetime) -> None:
    """Count a live turn for the learned facts that it used, by their ids in the turn."""
    rows = LearnedFact.objects.filter(pk__in=[learned_pk(each) for each in ids])
    locked = rows.select_for_update(no_key=True).order_by("pk")  # always in this order, to avoid deadlocks
    LearnedFact.objects.filter(pk__in=[fact.pk for fact in locked.only("pk")]).update(
        uses=F("uses") + 1, last_used_at=at
    )


def decay(now: datetime) -> int:
    """Archive facts learned or restored long ago and hardly used; return how many."""
    since = now - DECAYS_AFTER
    old = LearnedFact.objects.active().filter(pinned=False, learned_at__lt=since, uses__lt=LEAST_USES)
    return sum(_archive(pk, character, since) for pk, character in old.values_list("pk", "character_id"))


def _archive(pk: int, character_pk: int, since: datetime) -> bool:
    """Archive a fact, unless it was used, pinned, changed or restored meanwhile."""
    with transaction.atomic():
        character = _locked(character_pk)
        if Entry.objects.filter(subject=f"learned:{pk}", verb__in=_CAME_BACK, at__gte=since).exists():
            return False
        done = (
            LearnedFact.objects.active().filter(pk=pk, pinned=False, uses__lt=LEAST_USES).update(state=State.ARCHIVED)
        )
        if done:
            fact = LearnedFact.objects.select_related("predicate").get(pk=pk)
            _record(fact, character, "archived", State.ACTIVE, by=None, reason="decay")
            _kick()
    return bool(done)


def forget(fact: LearnedFact, *, by: User | None) -> None:
    """Delete a fact learned from a forgotten person; the log says so, but not what it was."""
    character = Character.objects.select_for_update().get(pk=fact.character_id)
    if LearnedFact.objects.filter(pk=fact.pk).delete()[0]:
        record(Act("forgot", graph_name(fact), character.graph_id, reason="forgotten"), actor=by)
        _kick()


def graph_name(fact: LearnedFact) -> str:
    """Return how the log names the fact."""
    return f"learned:{fact.pk}"


def _record(
    fact: LearnedFact,
    character: Character,
    verb: str,
    before: str,
    *,
    by: User | None,
    reason: str = "",
    batch: str = "",
) -> None:
    after = {"state": fact.state, "predicate": fact.predicate.name, "object": fact.object}
    act = Act(verb, graph_name(fact), character.graph_id, {"state": before}, after, reason=reason)
    record(act, actor=by, batch=batch)
