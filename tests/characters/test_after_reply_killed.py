"""A reader whose worker is killed, again and again: in the end everything is known, and nothing twice."""

import pytest

from characters.conversations.models import Message
from characters.memory.models import Entity, Evidence, Mention, UserFact
from kgadmin.jobs import runner
from kgadmin.jobs import services as jobs
from tests.characters import dying_reader
from tests.characters.memory import people
from tests.characters.memory.teller import Teller
from tests.characters.profiles import sheets
from tests.fixtures.talk import Lead, register_predicates
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.processes import die

CATS = ("Luna", "Sol", "Rex", "Bo", "Kit", "Pax", "Ivy", "Max", "Zoe", "Leo", "Mia", "Tao")
HOMES = ("Oslo", "Bergen", "Rome")


@pytest.fixture
def mark(transactional_db: None, hashed: HashEmbedder, wire: Lead) -> Teller:
    """Who has told Ann a lot that she hasn't read yet."""
    register_predicates()
    wire(llm_base_url="")
    telling = Teller(people.person(), sheets.character())
    for place, name in enumerate(CATS):
        telling.says(f"I have a cat called {name}, and I love the ocean. I live in {HOMES[place % len(HOMES)]}.")
    return telling


PLACES = {
    "between the facts of a message": (6, 3, 9),
    "before a message is saved": (3, 1, 2),
    "after a message": (5, 1, 2),
    "while sentences are embedded": (2, 1, 3),
}


@pytest.mark.parametrize(
    ("place", "passes"),
    [
        *((place, passes[:1]) for place, passes in PLACES.items()),
        *(pytest.param(*each, marks=pytest.mark.faults) for each in PLACES.items()),
    ],
)
def test_a_reader_that_was_killed_knows_everything_once(mark: Teller, place: str, passes: tuple[int, ...]) -> None:
    job = jobs.start(kind="remember", subject=mark.person.graph_id, by=None)
    unread = [Message.objects.unread().count()]
    for nth in passes:
        die(job, dying_reader.main, place, nth)
        unread.append(Message.objects.unread().count())
        assert UserFact.objects.filter(predicate="HAS_PET").count() == len(CATS) - unread[-1]
    assert unread == sorted(unread, reverse=True)
    runner.run(job.pk)
    job.refresh_from_db()
    assert job.state == "done"
    assert_whole(mark)


def assert_whole(mark: Teller) -> None:
    pets = [("", "HAS_PET", name) for name in CATS]
    cats = [(name, "IS_A", "cat") for name in CATS]
    assert mark.current == sorted([*pets, *cats, ("", "LIKES", "ocean"), ("", "LIVES_IN", "Rome")])
    assert len(mark.closed) == len(CATS) - 1
    assert {fact[2] for fact in mark.closed} == set(HOMES)
    assert Evidence.objects.count() == 4 * len(CATS)
    assert Mention.objects.filter(entity__name="ocean").count() == mark.fact("LIKES").mentions == len(CATS)
    assert Entity.objects.count() == len(CATS) + len(HOMES) + 2
    assert not Message.objects.unread().exists()
    assert not UserFact.objects.current().filter(vector=None).exists()
