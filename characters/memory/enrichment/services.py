"""Starting runs, estimating what they take, and an operator's decision on a relation."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Least, Length
from django.http import Http404

from characters.conversations.models import Person
from characters.domain.relations import Relation as RelationClass
from characters.memory.enrichment import by_model, first_pass, second_pass
from characters.memory.enrichment.forms import RelationFilter, RunIn
from characters.memory.enrichment.handler import people_of
from characters.memory.enrichment.neighbours import nearest
from characters.memory.enrichment.pairs import MAX_TEXT, IdPair
from characters.memory.models import EnrichmentRun, Relation
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.projection.tasks import sweep
from kgadmin.rest.actions import Refused
from kgadmin.stores import wiring

JOB_KIND = "enrich"
MOST_COMPARED = 2000
"""Of so many messages of a person, the newest, the pairs are counted; beyond, they grow with the messages."""
CHARACTERS_A_TOKEN = 4.0
TOKENS_A_MESSAGE = 35
"""Of its id, its date and the marks around it."""
TOKENS_A_VERDICT = 60
"""Of a usual answer, per pair; at most `by_model.TOKENS_A_RESULT` are allowed."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will about take."""

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


def asked_run(asked: RunIn) -> EnrichmentRun:
    """The run that is asked for, not saved. Raises `Refused`."""
    character = Character.objects.filter(slug=asked.character).first()
    if character is None:
        raise Refused("There is no such character. Choose one from the list.")
    person = people_of_runs().filter(pk=asked.person or 0).first()
    if asked.person and person is None:
        raise Refused("Nothing that this person said is remembered. Choose somebody from the list.")
    values = asked.dict(exclude={"character", "person", "without_model"})
    model = "" if asked.without_model else model_name()
    return EnrichmentRun(character=character, person=person, model=model, **values)


def people_of_runs() -> QuerySet[Person]:
    """Those of whom a character remembers messages."""
    return Person.objects.filter(acquaintances__places__gt=0)


def estimate(run: EnrichmentRun) -> Estimate:
    """What the run would take. Nothing is embedded, no model is asked, and nothing is written."""
    people = people_of(run)
    scopes = [_scope(run, person.pk) for person in people]
    messages, pairs = sum(each.messages for each in scopes), sum(each.pairs for each in scopes)
    calls = -(-pairs // by_model.PAIRS_A_CALL) if run.model else 0
    length = sum(each.characters for each in scopes) / max(1, messages)
    tokens = _tokens(pairs, calls, length) if run.model else 0
    return Estimate(
        people=len(people),
        messages=messages,
        to_embed=sum(each.to_embed for each in scopes),
        known=sum(each.known for each in scopes),
        pairs=pairs,
        calls=calls,
        tokens=tokens,
        capped=_capped(run, calls, tokens) if run.model else "",
    )


@dataclass(frozen=True, slots=True)
class _Scope:
    """What one person's messages amount to."""

    messages: int
    characters: int
    to_embed: int
    known: int
    pairs: int


def _scope(run: EnrichmentRun, person_id: int) -> _Scope:
    rows = first_pass.messages_of(person_id, run.character_id)
    shown = Least(Length("text"), MAX_TEXT)
    without = Count("pk", filter=Q(vector=None))
    counted = rows.aggregate(count=Count("pk"), length=Sum(shown, default=0), without=without)
    known = second_pass.settled(run, person_id)
    pairs = _pairs(run, person_id, counted["count"], known)
    return _Scope(counted["count"], counted["length"], counted["without"], len(known), pairs)


def _pairs(run: EnrichmentRun, person_id: int, messages: int, known: set[IdPair]) -> int:
    """How many pairs are to be classified: counted among what is embedded, and as many for each other message."""
    ids, vectors = first_pass.vectors_of(person_id, run.character_id)
    if len(ids) < 2:
        every = messages * (messages - 1) // 2
        return max(0, min(every, messages * run.frontier) - len(known))
    ids, vectors = ids[-MOST_COMPARED:], vectors[-MOST_COMPARED:]
    near = nearest(vectors, anchors=run.anchors, floor=run.floor)
    scores = {(ids[earlier], ids[later]): score for (earlier, later), score in near.items()}
    texts = dict(first_pass.messages_of(person_id, run.character_id).values_list("pk", "text"))
    reached = set(second_pass.within_frontier(run, texts, scores))
    return round(len(reached - known) * messages / len(ids))


def _tokens(pairs: int, calls: int, characters_a_message: float) -> int:
    text = TOKENS_A_MESSAGE + characters_a_message / CHARACTERS_A_TOKEN
    instructions = wiring.count_tokens(by_model.instructions())
    schema = 200
    return round(calls * (instructions + schema) + pairs * (1.3 * text + TOKENS_A_VERDICT))


def _capped(run: EnrichmentRun, calls: int, tokens: int) -> str:
    if calls > run.max_calls:
        return f"It will stop at its cap of {run.max_calls:,} calls; another run continues from there."
    if tokens > run.max_tokens:
        return f"It will stop at its cap of {run.max_tokens:,} tokens; another run continues from there."
    return ""


def start(run: EnrichmentRun, *, by: User) -> Job:
    """Save the run and start its job. Raises `Refused` while another one works on the same messages."""
    with transaction.atomic():
        # Whoever starts another one waits here, until this one is there to be seen.
        Character.objects.select_for_update(no_key=True).filter(pk=run.character_id).first()
        if other := _open_run_over(run):
            raise Refused(f"Run {other.pk} is working on these messages. Wait until it ends, or cancel it.", status=409)
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


def relabel(relation: Relation, *, name: RelationClass, by: User) -> None:
    """Give a relation the class that an operator sees in it; no run changes it again."""
    _decide(relation, name, Relation.Status.RELABELLED, by)


def reject(relation: Relation, *, by: User) -> None:
    """Say that the two messages aren't related so; the edge goes, and no run draws it again."""
    _decide(relation, relation.relation, Relation.Status.REJECTED, by)


@transaction.atomic
def _decide(relation: Relation, name: str, status: Relation.Status, by: User) -> None:
    before = {"relation": relation.relation, "status": relation.status}
    relation.decide(relation=name, status=status, by=by)
    act = Act(status, relation.graph_id, relation.character.graph_id, before, {"relation": name, "status": status})
    record(act, actor=by, people=[relation.person_id])
    sweep.delay_on_commit()


def filtered(asked: RelationFilter) -> QuerySet[Relation]:
    """The relations that fit."""
    fits = {
        "status": None if asked.status == "drawn" else asked.status,
        "relation": asked.relation,
        "character__slug": asked.character,
        "person": asked.person,
        "run": asked.run,
        "confidence__gte": asked.least,
        "confidence__lte": asked.most,
    }
    rows = Relation.objects.drawn() if asked.status == "drawn" else Relation.objects.all()
    return shown(rows.filter(**{name: value for name, value in fits.items() if value is not None}))


def shown(rows: QuerySet[Relation]) -> QuerySet[Relation]:
    return rows.select_related("earlier", "later", "person", "character", "decided_by").defer(
        "earlier__vector", "later__vector"
    )


def relation_for(pk: int) -> Relation:
    """One of them; 404 if there is none."""
    relation = shown(Relation.objects.all()).filter(pk=pk).first()
    if relation is None:
        raise Http404("There is no such relation. See the list of relations.")
    return relation


def run_for(pk: int) -> EnrichmentRun:
    """One run; 404 if there is none."""
    run = EnrichmentRun.objects.select_related("character", "person", "created_by").filter(pk=pk).first()
    if run is None:
        raise Http404("There is no such run. See the list of runs.")
    return run
