"""Start runs, and save an operator's decision on a relation."""

from django.db import transaction
from django.db.models import Q, QuerySet

from characters.conversations.models import Person
from characters.memory.enrichment.forms import EnrichmentRunIn, RelationFilter
from characters.memory.models import EnrichmentRun, Relation
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.projection.tasks import sweep
from kgadmin.rest.actions import Refused, first_or_404
from kgadmin.stores import wiring


def model_name() -> str:
    """Return the name of the language model that would classify, or an empty string."""
    model = wiring.language_model()
    return model.name if model.judges else ""


def asked_run(asked: EnrichmentRunIn) -> EnrichmentRun:
    """Return the requested run, not saved. Raises `Refused`."""
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
    """Return the people of whom a character remembers messages."""
    return Person.objects.filter(acquaintances__places__gt=0)


def start(run: EnrichmentRun, *, by: User) -> Job:
    """Save the run and start its job. Raises `Refused` while another run works on the same messages."""
    with transaction.atomic():
        # Anyone starting another run waits here until this one is visible.
        Character.objects.select_for_update(no_key=True).filter(pk=run.character_id).first()
        if other := _open_run_over(run):
            raise Refused(f"Run {other.pk} is working on these messages. Wait until it ends, or cancel it.", status=409)
        run.created_by = by
        run.save()
        return jobs.start(kind=run.JOB_KIND, subject=run.subject, by=by)


def _open_run_over(run: EnrichmentRun) -> EnrichmentRun | None:
    subjects = Job.objects.open().filter(kind=run.JOB_KIND).values_list("subject", flat=True)
    ids = [subject.rpartition(":")[2] for subject in subjects]
    others = EnrichmentRun.objects.filter(pk__in=ids, character_id=run.character_id)
    of_person = Q(person=None) | Q(person=run.person)
    return (others.filter(of_person) if run.person else others).first()


@transaction.atomic
def decide(relation: Relation, status: Relation.Status, *, name: str = "", by: User) -> None:
    """Relabel a relation with the class `name`, or reject it; no run changes it again."""
    name = name or relation.relation
    before = {"relation": relation.relation, "status": relation.status}
    relation.decide(relation=name, status=status, by=by)
    act = Act(status, relation.graph_id, relation.character.graph_id, before, {"relation": name, "status": status})
    record(act, actor=by, people=[relation.person_id])
    sweep.delay_on_commit()


def filtered(asked: RelationFilter) -> QuerySet[Relation]:
    """Return the relations that match the filters."""
    fits = {
        "status": None if asked.status == "drawn" else asked.status,
        "relation": asked.relation,
        "character__slug": asked.character,
        "person": asked.person,
        "run": asked.run,
    }
    rows = Relation.objects.drawn() if asked.status == "drawn" else Relation.objects.all()
    return _shown(rows.filter(**{name: value for name, value in fits.items() if value is not None}))


def _shown(rows: QuerySet[Relation]) -> QuerySet[Relation]:
    return rows.select_related("earlier", "later", "person", "character", "decided_by").defer(
        "earlier__vector", "later__vector"
    )


def relation_for(pk: int) -> Relation:
    """Return a relation; 404 if there is none."""
    return first_or_404(_shown(Relation.objects.filter(pk=pk)), "There is no such relation. See the list of relations.")


def run_for(pk: int) -> EnrichmentRun:
    """Return a run; 404 if there is none."""
    rows = EnrichmentRun.objects.select_related("character", "person", "created_by")
    return first_or_404(rows.filter(pk=pk), "There is no such run. See the list of runs.")
