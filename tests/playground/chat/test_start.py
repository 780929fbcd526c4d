"""As whom a tester talks (test people are remembered, all others are a sandbox), and how the character greets them."""

from dataclasses import replace

import pytest
from django.test import Client

from characters.conversations import services
from characters.conversations.models import SHARED_TEST_PEOPLE, Conversation, Memory, Message, Person, Turn
from characters.profiles import services as profiles
from characters.profiles.models import Character
from characters.talk.requests import request_for
from kgadmin.accounts.models import User
from playground.chat.start import MOST_LISTED
from tests.playground.chat.test_views import text_of
from tests.scripted_model import ScriptedModel

PEOPLE = "/playground/people/"


@pytest.fixture
def priya(db: None) -> Person:
    return Person.objects.create(namespace="import", outside_id="priya#1", name="Priya")


@pytest.fixture
def lena(db: None) -> Person:
    """As whom every tester may talk."""
    return Person.objects.create(namespace=SHARED_TEST_PEOPLE, outside_id="lena", name="Lena")


def whom(answer: object) -> str:
    """As whom the page says that one talks."""
    return text_of(answer).split("Talking as ")[1].split(".")[0]


def conversation_of(client: Client, **form: object) -> Conversation:
    answer = client.post("/playground/with/tomasz/begin/", {"message": "Who taught you?", **form})
    assert answer.status_code == 302
    return Conversation.objects.latest("pk")


# Choosing


def test_the_test_people_that_a_tester_plays_are_offered_and_nobody_elses(
    tester_client: Client, outsider: User, resting: Character, mark: Person, lena: Person
) -> None:
    services.new_test_person(name="Somebody else's", by=outsider)
    for path in ("/playground/", "/playground/with/tomasz/"):
        page = tester_client.get(path)
        html = page.content.decode()
        offered = html.split('aria-label="Talk as"')[1].split("</ul>")[0]
        assert all(f">{name}</a>" in offered for name in ("Lena", "Mark", "Tester"))
        assert "Somebody else" not in text_of(page)
        assert f'href="?as={mark.pk}"' in offered
        assert whom(page) == "Tester, a test person: the conversation is remembered"


def test_who_is_chosen_is_marked_and_kept_as_the_last_one(
    tester_client: Client, resting: Character, mark: Person
) -> None:
    page = tester_client.get(f"/playground/?as={mark.pk}")
    assert whom(page) == "Mark, a test person: the conversation is remembered"
    chosen = page.content.decode().split(f'href="?as={mark.pk}"')[1].split(">")[0]
    assert 'aria-current="true"' in chosen
    for path in ("/playground/", "/playground/with/tomasz/"):
        page = tester_client.get(path)
        assert whom(page).startswith("Mark,")
    assert f'<input type="hidden" name="as" value="{mark.pk}">' in page.content.decode()


def test_a_person_who_is_not_there_is_missing(tester_client: Client, resting: Character) -> None:
    for asked in ("999", "mark", "-1", "²", "9" * 40, "\0"):
        for path in ("/playground/", "/playground/with/tomasz/"):
            answer = tester_client.get(path, {"as": asked})
            assert answer.status_code == 404, asked
            assert "no such person" in text_of(answer), asked
        answer = tester_client.post("/playground/with/tomasz/begin/", {"message": "Hi", "as": asked})
        assert answer.status_code == 404, asked
    assert not Conversation.objects.exists()


# Talking


def test_what_is_said_as_a_test_person_is_no_sandbox(
    tester_client: Client, model: ScriptedModel, tomasz: Character, mark: Person, lena: Person
) -> None:
    for person in (mark, lena):
        conversation = conversation_of(tester_client, **{"as": person.pk})
        assert (conversation.person, conversation.sandbox) == (person, False)
        page = tester_client.get(f"/playground/conversations/{conversation.pk}/")
        assert whom(page) == f"{person.name}, a test person: the conversation is remembered"
        assert "Sandbox" not in text_of(page)


def test_what_is_said_as_anybody_else_is_a_sandbox_that_writes_nothing(
    tester_client: Client, outsider: User, model: ScriptedModel, tomasz: Character, priya: Person
) -> None:
    other = services.new_test_person(name="Somebody else's", by=outsider)
    assert "Somebody else's in a sandbox" in text_of(tester_client.get(f"/playground/?as={other.pk}"))
    sentence = "Priya in a sandbox: memories of Priya are used, but nothing is remembered"
    assert whom(tester_client.get(f"/playground/with/tomasz/?as={priya.pk}")) == sentence
    conversation = conversation_of(tester_client, **{"as": priya.pk})
    assert (conversation.person, conversation.sandbox) == (priya, True)
    page = tester_client.get(f"/playground/conversations/{conversation.pk}/")
    assert whom(page) == sentence
    assert text_of(page).count("Sandbox") == 1
    assert "Sandbox" in text_of(tester_client.get("/playground/"))
    assert Turn.objects.get().state == "done"
    assert not conversation.messages.exclude(memory="none").exists()
    assert not priya.acquaintances.exists()


# Real people


@pytest.mark.engine
def test_real_people_are_found_by_a_part_of_their_name(
    tester_client: Client, resting: Character, priya: Person
) -> None:
    Person.objects.bulk_create(
        Person(namespace="import", outside_id=str(number), name=f"Guest {number}") for number in range(30)
    )
    listed = tester_client.get("/playground/").content.decode().split('aria-label="Real people"')[1].split("</ul>")[0]
    assert listed.count("<li>") == MOST_LISTED
    assert "Priya" not in listed
    page = tester_client.get("/playground/", {"find": "RIY"}).content.decode()
    assert f'href="?as={priya.pk}&amp;find=RIY"' in page
    nobody = text_of(tester_client.get("/playground/", {"find": "<b>Zoë\0"}))
    assert "No one’s name contains “<b>Zoë”." in nobody


# A new test person


def test_a_new_test_person_is_made_and_talks(tester_client: Client, tester: User, resting: Character) -> None:
    answer = tester_client.post(PEOPLE, {"name": "Mark", "with": "tomasz"})
    mark = Person.objects.get(name="Mark")
    assert answer["Location"] == f"/playground/with/tomasz/?as={mark.pk}"
    assert mark.is_played_by(tester)
    answer = tester_client.post(PEOPLE, {"name": "Lena"})
    assert answer["Location"] == f"/playground/?as={Person.objects.get(name='Lena').pk}"


def test_a_name_that_cannot_be_is_refused_where_it_was_typed(
    tester_client: Client, resting: Character, mark: Person, lena: Person
) -> None:
    for name, sentence in (
        ("", "needs a name"),
        ("mark", "already a test person called mark"),
        ("LENA", "already a test person called LENA"),
        ("x" * 101, "at most 100"),
        ("a\0b", "can't be stored"),
    ):
        for form in ({"with": "tomasz"}, {}):
            answer = tester_client.post(PEOPLE, {"name": name, **form})
            assert (answer.status_code, sentence in text_of(answer)) == (422, True), name
            assert "<textarea" in answer.content.decode() or not form, name
    assert set(Person.objects.values_list("name", flat=True)) <= {"Mark", "Lena", "Tester"}


# Greetings: the first message of a new conversation

GREETINGS = ("Come in, {{user}}. I am {{char}}.", "<script>alert(1)</script> *Late* again?")


@pytest.fixture
def greeter(resting: Character) -> Character:
    return greeting(resting)


def greeting(character: Character) -> Character:
    assert character.sheet
    profiles.publish(character, sheet=replace(character.sheet, nickname="Tom", greetings=GREETINGS), by=None)
    return character


def test_a_conversation_begins_with_the_greeting_which_is_part_of_the_history(greeter: Character, tester: User) -> None:
    person = services.person_of_tester(tester)
    turn, _ = services.begin(character=greeter, by=tester, person=person, text="Hi.", greeting=0)
    first, second = turn.conversation.path()
    assert (first.role, first.text) == (Message.Role.ASSISTANT, "Come in, Tester. I am Tom.")
    assert (second.text, second.parent) == ("Hi.", first)
    assert first.memory == Memory.GREETING
    request = request_for(turn)
    assert [(message.role, message.text) for message in request.history] == [("assistant", first.text)]
    assert request.turn == 1


def test_the_page_shows_the_greeting_and_the_others(tester_client: Client, greeter: Character) -> None:
    page = tester_client.get("/playground/with/tomasz/")
    assert "Come in, Tester. I am Tom." in text_of(page)
    other = tester_client.get("/playground/with/tomasz/?greeting=1").content.decode()
    assert "<em>Late</em> again?" in other
    assert "<script>alert" not in other
    assert 'name="greeting"\n                            value="1"' in other
    for odd in ("9", "-1", "x", "99999999999999999999"):
        assert "Come in, Tester" in text_of(tester_client.get(f"/playground/with/tomasz/?greeting={odd}"))


def test_the_chosen_one_is_said_and_stays_on_the_page(tester_client: Client, tomasz: Character) -> None:
    greeting(tomasz)
    answer = tester_client.post("/playground/with/tomasz/begin/", {"message": "help", "greeting": "1"}, follow=True)
    assert "again?" in text_of(answer)
    assert Conversation.objects.get().greeting == GREETINGS[1]
