"""Starting runs, telling beforehand what they may take, and an operator's word on a relation."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Sum
from django.db.models.functions import Least, Length

from characters.conversations.models import Message
from characters.memory.enrichment import prompt
from characters.memory.enrichment.handler import people_of
from characters.memory.enrichment.second_pass import UNDECIDED, origin_of
from characters.memory.models import EnrichmentRun, Relation
from characters.turn.relations import CLASSES
from kgadmin.accounts.models import User
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.projection.tasks import sweep
from kgadmin.stores import wiring

JOB_KIND = "enrich"
NEW_PAIRS = 0.55
"""Of anchors x frontier ways from a message, about so many lead to a pair that no other way leads to; measured on
chats of 80 to 5,000 messages (tests/characters/memory/enrichment/test_services.py)."""
CHARACTERS_A_TOKEN = 4.0
TOKENS_A_MESSAGE = 35
"""Of its id, its date and the marks around it."""
TOKENS_A_VERDICT = 60
"""Of a usual answer, per pair; at most `prompt.TOKENS_A_RESULT` are allowed."""


class RunError(ValueError):
    """A run that can't be started; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will about take; pairs, calls and tokens are upper bounds where the caps are higher."""

    people: int
    messages: int
    to_embed: int
    known: int
    """Pairs that need no answer: classified by the same model before, or decided by an operator."""
    pairs: int
    calls: int
    tokens: int
    capped: str = ""
    """Which cap it will meet before its end, in words."""


def model_name() -> str:
    """The language model that would classify; empty without one."""
    model = wiring.language_model()
    return model.name if model.judges else ""


def estimate(run: EnrichmentRun) -> Estimate:
    """What the run would take, by counting rows: nothing is embedded and no model is asked."""
    people = people_of(run)
    messages = known = to_embed = pairs = characters = 0
    for person in people:
        rows = Message.objects.of(person.pk, run.character_id).filter(role=Message.Role.USER)
        shown = Least(Length("text"), prompt.MAX_TEXT)
        counted = rows.aggregate(count=Count("pk"), length=Sum(shown, default=0))
        count = counted["count"]
        messages += count
        characters += counted["length"]
        to_embed += rows.filter(vector=None).count()
        known_here = _known(run, person.pk)
        known += known_here
        pairs += max(0, _pairs(run, count) - known_here)
    if not run.model:
        return Estimate(len(people), messages, to_embed, known, pairs, 0, 0)
    calls = -(-pairs // prompt.PAIRS_A_CALL)
    tokens = _tokens(pairs, calls, characters / max(1, messages))
    return Estimate(len(people), messages, to_embed, known, pairs, calls, tokens, _capped(run, calls, tokens))


def _pairs(run: EnrichmentRun, messages: int) -> int:
    every = messages * (messages - 1) // 2
    return min(every, round(messages * run.anchors * run.frontier * NEW_PAIRS))


def _known(run: EnrichmentRun, person_id: int) -> int:
    rows = Relation.objects.filter(person_id=person_id, character_id=run.character_id)
    decided = rows.exclude(status__in=UNDECIDED).count()
    classified = rows.filter(status__in=UNDECIDED).exclude(status=Relation.Status.UNCLASSIFIED)
    if run.model:
        classified = classified.filter(origin=origin_of(run))
    return decided + classified.count()


def _tokens(pairs: int, calls: int, characters_a_message: float) -> int:
    text = TOKENS_A_MESSAGE + characters_a_message / CHARACTERS_A_TOKEN
    instructions = wiring.count_tokens(prompt.instructions())
    schema = 200
    return round(calls * (instructions + schema) + pairs * (1.3 * text + TOKENS_A_VERDICT))


def _capped(run: EnrichmentRun, calls: int, tokens: int) -> str:
    if calls > run.max_calls:
        return f"It will end at its cap of {run.max_calls:,} calls; another run goes on from there."
    if tokens > run.max_tokens:
        return f"It will end at its cap of {run.max_tokens:,} tokens; another run goes on from there."
    return ""


def start(run: EnrichmentRun, *, by: User) -> Job:
    """Save the run and start its job. Raises `RunError` while another one works on the same messages."""
    with transaction.atomic():
        if other := _open_run_over(run):
            raise RunError(f"Run {other.pk} works on these messages now. Wait for its end, or cancel it first.")
        run.created_by = by
        run.save()
        return jobs.start(kind=JOB_KIND, subject=subject_of(run), by=by)


def subject_of(run: EnrichmentRun) -> str:
    """The subject of the run's job."""
    return f"run:{run.pk}"


def job_of(run: EnrichmentRun) -> Job | None:
    """The newest job of the run."""
    return Job.objects.filter(kind=JOB_KIND, subject=subject_of(run)).first()


def _open_run_over(run: EnrichmentRun) -> EnrichmentRun | None:
    subjects = Job.objects.open().filter(kind=JOB_KIND).values_list("subject", flat=True)
    ids = [subject.rpartition(":")[2] for subject in subjects]
    others = EnrichmentRun.objects.filter(pk__in=ids, character_id=run.character_id)
    return next(
        (each for each in others if None in {each.person_id, run.person_id} or each.person_id == run.person_id), None
    )


def relabel(relation: Relation, *, name: str, by: User) -> None:
    """Give a relation the class that an operator sees in it; no run changes it again."""
    if name not in CLASSES:
        raise ValueError(f"{name!r} is none of the classes.")
    _decide(relation, name, Relation.Status.RELABELLED, by)


def reject(relation: Relation, *, by: User) -> None:
    """Say that the two messages aren't related so; the edge goes, and no run draws it again."""
    _decide(relation, relation.relation, Relation.Status.REJECTED, by)


@transaction.atomic
def _decide(relation: Relation, name: str, status: Relation.Status, by: User) -> None:
    relation.decide(relation=name, status=status, by=by)
    sweep.delay_on_commit()
