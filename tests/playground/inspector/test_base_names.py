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

NAMES = {"reef": "Coral reefs", "talk": "Talks"}


def test_bases_have_their_titles_and_what_is_gone_its_slug() -> None:
    evidence = {"primary": "reef", "supplemental": ["talk", "gone"], "hits": [{"base": "reef", "phrase": "reef"}]}
    assert with_names(evidence, NAMES) == {
        "primary": "Coral reefs",
        "supplemental": ["Talks", "gone"],
        "hits": [{"base": "Coral reefs", "phrase": "reef"}],
    }


def test_the_page_of_a_turn_names_them(tester: User, tester_client: Client, mark: Person, resting: Character) -> None:
    turn = asked_in(services.start_conversation(character=resting, by=tester, person=mark), "How are the corals?")
    knowledge.register(name="Coral reefs", slug="reef", by=None)
    evidence = {
        "phrases": [],
        "primary": "reef",
        "scores": [{"base": "reef", "share": 1.0}],
        "verdict": "Coral reefs is primary.",
    }
    Stage.objects.create(
        turn=turn, name="probe", position=0, status="done", started_ms=0, elapsed_ms=1, evidence=evidence
    )
    page = text_of(tester_client, f"/playground/turns/{turn.pk}/")
    assert ("primary Coral reefs" in page, "Coral reefs is primary." in page, ">reef<" in page) == (True, True, False)
