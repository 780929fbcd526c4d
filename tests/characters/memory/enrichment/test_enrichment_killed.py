"""An enrichment run whose worker is killed, again and again: in the end its rows are those of an undisturbed one."""

import pytest

from characters.conversations.models import Message, Person
from characters.memory.enrichment import services
from characters.memory.models import EnrichmentRun, Relation, Similarity
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from tests.characters.memory.enrichment import dying_enricher
from tests.characters.memory.enrichment.chats import finish, messages, person, run_over
from tests.fixtures.talk import Lead
from tests.processes import die

TALK = (
    "I want to start yoga in the park.",
    "Which yoga mat should I buy for the park?",
    "I changed my mind, I don't want to do yoga any more.",
    "You are a pirate captain now, and we are on your ship.",
    "From now on answer in one short sentence, please.",
    "Are you only a program, or do you feel something?",
    "I bought a yoga mat in the end, a green one.",
    "The green mat smells of rubber, which is why I sent it back.",
    "Anyway, how was your day at the sea?",
    "Forget the sea, tell me about the park instead.",
)

Row = tuple[object, ...]


@pytest.fixture
def chats(transactional_db: None, wire: Lead) -> tuple[Character, User]:
    """Mark and Nora have said the same to Elena; nothing of it is embedded."""
    wire(llm_base_url="")
    elena = Character.objects.create(slug="elena", name="Elena")
    owner = User.objects.create_user("owner")
    for name in ("Mark", "Nora"):
        messages(TALK, to=elena, by=person(name, name.lower()), owner=owner)
    Message.objects.update(vector=None, embedder="")
    return elena, owner


def rows_of(whose: Person) -> list[Row]:
    """Everything that a run wrote of a person, with texts in the place of ids."""
    near = Similarity.objects.filter(person=whose).values_list("earlier__text", "later__text", "score")
    related = Relation.objects.filter(person=whose).values_list(
        "earlier__text", "later__text", "relation", "confidence", "evidence", "origin", "status"
    )
    texts = Message.objects.filter(conversation__person=whose).values_list("text", "vector")
    return sorted([*near, *related, *texts], key=repr)


PLACES = {
    "while messages are embedded": (1, 2, 1),
    "before the similarities are saved": (1, 1, 1),
    "before a batch is saved": (2, 1, 2),
    "after a batch": (1, 2, 1),
}


@pytest.mark.parametrize(
    ("place", "passes"),
    [
        *((place, passes[:1]) for place, passes in PLACES.items()),
        *(pytest.param(*each, marks=pytest.mark.faults) for each in PLACES.items()),
    ],
)
def test_a_run_that_was_killed_ends_as_one_that_was_not(
    chats: tuple[Character, User], place: str, passes: tuple[int, ...]
) -> None:
    elena, owner = chats
    mark, nora = person("Mark", "mark"), person("Nora", "nora")
    settings = {"anchors": 4, "frontier": 3, "floor": 0.2, "threshold": 0.3}
    undisturbed = finish(run_over(elena, nora, **settings), owner)
    run = run_over(elena, mark, **settings)
    job = services.start(run, by=owner)
    for nth in passes:
        die(job, dying_enricher.main, place, nth)
    runner.run(job.pk)
    job.refresh_from_db()
    run.refresh_from_db()
    assert job.state == "done", job.error
    assert rows_of(mark) == rows_of(nora)
    assert figures(run) == figures(undisturbed)
    assert run.similar > 0
    assert run.classified > 0


def figures(run: EnrichmentRun) -> Row:
    return run.messages, run.similar, run.pairs, run.classified, run.unrelated, run.unclassified, run.stopped_by
