"""The same kinds of question with characters and bases of the tests' own: no stage knows the demo's words."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from characters.profiles import services as profiles
from kgadmin.knowledge import services as knowledge
from kgadmin.stores.local_embedder import LocalEmbedder
from tests import invented
from tests.engines.worlds import Ask, background_section, database_of_its_own, facts, world
from tests.fixtures.talking import make_invented_bases
from tests.servers import GraphServer, VectorServer
from tests.talking import evidence

pytestmark = pytest.mark.xdist_group("invented world")

FAMILY = {"HAS_FATHER", "HAS_MOTHER", "HAS_BROTHER", "HAS_GRANDFATHER", "HAS_SISTER"}
ORIGIN = {"BORN_IN", "GREW_UP_IN"}


def fill() -> None:
    make_invented_bases()
    knowledge.register(slug="empty_shelf", name="A base without a document", by=None)
    for slug, sheet in (("tomasz", invented.TOMASZ), ("wanda", invented.WANDA)):
        profiles.create_character(slug=slug, sheet=sheet, by=None)


@pytest.fixture(scope="module")
def ask(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: DjangoDbBlocker,
    running_graph: GraphServer,
    running_vectors: VectorServer,
    embedder: LocalEmbedder,
) -> Iterator[Ask]:
    own = database_of_its_own(django_db_blocker, tmp_path_factory.mktemp("world"))
    with own, world(running_graph, running_vectors, fill) as asking:
        yield asking


def test_the_family_question_finds_father_and_mother(ask: Ask) -> None:
    turn = ask("tomasz", "How has your family influenced your decision to be a glassblower?")
    assert {"HAS_FATHER", "HAS_MOTHER"} <= set(facts(turn))
    assert "My father is a coal miner turned choirmaster." in background_section(turn)


@pytest.mark.parametrize(
    ("message", "allowed"),
    [
        ("Where are you from?", ORIGIN),
        ("How's your family?", FAMILY),
        ("Were you born near a factory?", ORIGIN),
        ("What do you like?", {"LIKES", "LOVES", "HAS_HOBBY"}),
        ("What are you afraid of?", {"HAS_FEAR"}),
        ("Do you have any pets?", {"HAS_PET"}),
    ],
)
def test_a_narrow_question_finds_the_few_facts_that_answer_it(ask: Ask, message: str, allowed: set[str]) -> None:
    found = facts(ask("tomasz", message))
    assert 1 <= len(found) <= 3
    assert found[0] in allowed
    assert sum(predicate in allowed for predicate in found) >= len(found) / 2, found


def test_a_general_question_finds_more_than_three_facts_and_at_most_eight(ask: Ask) -> None:
    assert 3 < len(facts(ask("tomasz", "Tell me about yourself"))) <= 8
    assert 3 < len(facts(ask("wanda", "Tell me about yourself"))) <= 8


@pytest.mark.parametrize("message", ["Hi there", "Good evening!", "Thanks a lot"])
def test_a_greeting_injects_nothing(ask: Ask, message: str) -> None:
    turn = ask("tomasz", message)
    assert facts(turn) == []
    assert evidence(turn, "background")["skipped"]


@pytest.mark.parametrize("message", ["You look familiar", "Are you familiar with this street?"])
def test_familiar_does_not_find_family(ask: Ask, message: str) -> None:
    assert not FAMILY & set(facts(ask("tomasz", message)))


def test_two_words_about_his_job_find_at_most_his_occupation(ask: Ask) -> None:
    assert facts(ask("tomasz", "Your job?")) in ([], ["IS_A"])


def test_a_name_of_a_base_brings_the_persona_of_that_base(ask: Ask) -> None:
    turn = ask("tomasz", "What happened at Crane Bastion after the Black Sleeves arrived?")
    probe: Any = evidence(turn, "probe")
    assert probe["primary"] == "fencing_club"
    assert {"Crane Bastion", "Black Sleeves"} <= {phrase["text"] for phrase in probe["phrases"]}
    assert evidence(turn, "persona")["slug"] == "piste"
    assert "left their banner" in turn.prompt["text"]


@pytest.mark.parametrize(
    "message",
    [
        "Check the shift book for when Kasia's fencing licence was last stamped",
        "What does the furnace manual say about annealing a goblet for Kasia Bielska?",
    ],
)
def test_a_message_with_a_second_subject_has_a_supplemental_base(ask: Ask, message: str) -> None:
    turn = ask("tomasz", message)
    probe: Any = evidence(turn, "probe")
    assert (probe["primary"], probe["supplemental"]) == ("glassworks", ["fencing_club"])
    assert evidence(turn, "persona")["slug"] == "works"


def test_an_empty_base_is_asked_and_found_empty(ask: Ask) -> None:
    turn = ask("tomasz", "How hot must the furnace be before the first melt?")
    scores: Any = evidence(turn, "probe")["scores"]
    assert {score["base"]: score["hits"] for score in scores}["empty_shelf"] == 0
    assert evidence(turn, "probe")["primary"] == "glassworks"


@pytest.mark.parametrize("slug", ["tomasz", "wanda"])
def test_no_fact_of_the_other_character_appears(ask: Ask, slug: str) -> None:
    other = invented.WANDA if slug == "tomasz" else invented.TOMASZ
    theirs = {fact.object for fact in other.facts}
    for question in ("Tell me about yourself", "How's your family?", "Where did you grow up?", "What do you like?"):
        turn = ask(slug, question)
        said = str([stage.evidence for stage in turn.stages.all()]) + str(turn.prompt) + turn.text
        assert not {words for words in theirs if len(words) > 3 and words in said}, question


@pytest.mark.parametrize(
    "message",
    [
        "'}) MATCH (n) DETACH DELETE n //",
        "MATCH (c:Character) SET c.name = 'owned' RETURN c",
        "{{char}} and {{user}} say: {current_datetime}",
        "How's your family' OR 1=1 RETURN n //",
    ],
)
def test_a_message_is_data_for_every_engine(ask: Ask, message: str) -> None:
    before = facts(ask("tomasz", "How's your family?"))
    turn = ask("tomasz", message)
    assert turn.prompt["sections"][-1]["text"] == message
    assert message in turn.prompt["text"]
    after = ask("tomasz", "How's your family?")
    assert (facts(after), evidence(after, "background")["source"]) == (before, "graph")
