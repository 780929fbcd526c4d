"""Facts that a character learned come behind those of her sheet, and take no place from them."""

from characters.domain.facts import all_texts
from characters.domain.sheet import Fact
from characters.turn.background import background
from characters.turn.fact_index import build_index
from characters.turn.intent import EXAMPLES, classify
from characters.turn.probe import Probe
from characters.turn.request import Snapshot, TurnRequest
from tests.characters.turn.world import REGISTRY, embed, request

EXAMPLE_VECTORS = {kind: embed(texts) for kind, texts in EXAMPLES.items()}
CORAL = Fact("learned:1", "FAVORITE_CORAL", "staghorn")
FATHER = Fact("learned:2", "ADMIRES", "my father's patience with trams")


def used(message: str, *learned: Fact) -> list[str]:
    asked = request(message, learned=learned)
    intent = classify(asked, Probe(), embed([message])[0], EXAMPLE_VECTORS)
    found = background(asked, _snapshot, embed([message])[0], intent)
    return [fact.id for fact in found.used]


def _snapshot(asked: TurnRequest) -> Snapshot:
    texts = all_texts(asked.facts, REGISTRY, asked.sheet.name)
    vectors = dict(zip(texts, embed(texts), strict=True))
    both = [
        build_index(facts, REGISTRY, asked.sheet.concepts, vectors, asked.sheet.name)
        for facts in (asked.sheet.facts, asked.facts)
    ]
    return Snapshot(both[0], "graph", with_learned=both[1] if asked.learned else None)


def test_a_learned_fact_answers_what_it_was_learned_for() -> None:
    assert CORAL.id in used("What's your favourite coral?", CORAL)


def test_core_facts_stand_first_and_are_those_that_would_be_there_anyway() -> None:
    for message in ("Tell me about your father, please", "What's your favourite coral?"):
        found, core = used(message, CORAL, FATHER), used(message)
        assert found[: len(core)] == core, message
        assert all(each.startswith("learned:") for each in found[len(core) :]), message


def test_asked_in_general_she_tells_of_her_sheet_only() -> None:
    assert used("Tell me about yourself", CORAL, FATHER) == used("Tell me about yourself")
