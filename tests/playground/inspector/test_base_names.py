"""A trace names bases by their titles."""

from django.test import Client

from characters.conversations import services
from characters.conversations.models import Person, Stage
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.knowledge import services as knowledge
from playground.inspector.base_names import with_names
from tests.pages import text_of
from tests.turns import asked_in

NAMES = {"reef": "Coral reefs", "base": "The 漢字 base", "talk": "Talks"}


def test_bases_have_their_titles_and_what_is_gone_its_slug() -> None:
    evidence = {"primary": "reef", "supplemental": ["talk", "gone"], "hits": [{"base": "reef", "phrase": "reef"}]}
    assert with_names(evidence, NAMES) == {
        "primary": "Coral reefs",
        "supplemental": ["Talks", "gone"],
        "hits": [{"base": "Coral reefs", "phrase": "reef"}],
    }


def test_in_sentences_a_slug_is_a_name_only_where_one_stands() -> None:
    for sentence, named in (
        (
            "reef is primary: share 0.61 against 0.20 for base.",
            "Coral reefs is primary: share 0.61 against 0.20 for {}.",
        ),
        ("Too close to call between base and reef.", "Too close to call between {} and Coral reefs."),
        ("It is used for base, the primary base.", "It is used for {}, the primary base."),
        (
            "More like everyday talk than like any base: the closest is base with 0.31.",
            "More like everyday talk than like any base: the closest is {} with 0.31.",
        ),
    ):
        assert with_names({"verdict": sentence}, NAMES) == {"verdict": named.format(NAMES["base"])}


def test_the_page_of_a_turn_names_them(tester: User, tester_client: Client, mark: Person, resting: Character) -> None:
    turn = asked_in(services.start_conversation(character=resting, by=tester, person=mark), "How are the corals?")
    knowledge.register(name="Coral reefs", slug="reef", by=None)
    evidence = {
        "phrases": [],
        "primary": "reef",
        "scores": [{"base": "reef", "share": 1.0}],
        "verdict": "reef is primary.",
    }
    Stage.objects.create(
        turn=turn, name="probe", position=0, status="done", started_ms=0, elapsed_ms=1, evidence=evidence
    )
    page = text_of(tester_client, f"/playground/turns/{turn.pk}/")
    assert ("primary Coral reefs" in page, "Coral reefs is primary." in page, ">reef<" in page) == (True, True, False)
