"""The pages of people."""

import json
import re

import pytest
from django.test import Client
from django.utils import timezone

from characters.conversations.models import Message, Person
from characters.memory.models import Relation, UserFact
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.projection.models import Change
from tests.characters.people.known_person import Knowing
from tests.characters.profiles import sheets
from tests.pages import HTMX, text_of


@pytest.fixture
def known(known: Knowing) -> Knowing:
    """Luna is a cat, and there is a second message."""
    known.fact("IS_A", known.entity("cat", "topic"), subject=known.person.entities.get(name="Luna"))
    known.says("I've moved to Portland")
    return known


@pytest.fixture
def ingrid(db: None) -> Person:
    return Person.objects.create(namespace="import", outside_id="ingrid", name="Ingrid")


def paths(known: Knowing) -> list[str]:
    fact, entity = UserFact.objects.current().first(), known.person.entities.first()
    assert fact
    assert entity
    base = f"/people/{known.person.pk}/"
    parts = ["", "facts/", f"facts/{fact.pk}/", "entities/", f"entities/{entity.pk}/", "conversations/"]
    parts += [f"conversations/{known.conversation.pk}/", "export.json", "explore/"]
    return ["/people/", *(base + part for part in parts)]


def test_a_tester_reads_nothing_of_a_real_person(tester_client: Client, known: Knowing) -> None:
    Person.objects.update(namespace="import")
    for path in [*paths(known)[1:], f"/people/{known.person.pk}/forget/"]:
        assert tester_client.get(path, headers=HTMX).status_code == 403, path


def test_what_belongs_to_somebody_else_is_missing(operator_client: Client, known: Knowing, ingrid: Person) -> None:
    for path in paths(known)[3:8]:
        if re.search(r"/\d+/$", path) and path.count("/") > 4:
            elsewhere = path.replace(f"/people/{known.person.pk}/", f"/people/{ingrid.pk}/")
            assert operator_client.get(elsewhere).status_code == 404, elsewhere


@pytest.mark.engine
def test_the_list_says_who_knows_them_and_how_much_and_is_searched_and_filtered(
    operator_client: Client, tester_client: Client, known: Knowing, ingrid: Person
) -> None:
    def names(query: str, client: Client = operator_client) -> set[str]:
        return set(re.findall(r'href="/people/\d+/">(\w+)<', text_of(client, f"/people/{query}")))

    row = text_of(operator_client, "/people/").partition("Mark</a>")[2].partition("</tr>")[0]
    assert "Shared test person" in row
    assert "Ann Holm" in row
    assert re.search(r'data-label="Facts">\s*3\s*<', row)
    assert re.search(r'data-label="Messages">\s*2\s*<', row)
    assert names("") == {"Mark", "Ingrid"}
    assert names("?q=mar") == {"Mark"}
    assert names("?kind=test") == {"Mark"}
    assert names("?kind=real") == names("?kind=imported") == {"Ingrid"}
    assert names("?q=ing&kind=test") == set()
    assert names("?kind=real", tester_client) == {"Mark"}, "test people only"
    assert "No one matches" in text_of(operator_client, "/people/?q=zzz")


def test_a_person_has_facts_as_sentences_by_family_with_where_they_were_said(
    operator_client: Client, known: Knowing
) -> None:
    known.fact("HAS_FATHER", known.entity("father", "person"))
    text = text_of(operator_client, f"/people/{known.person.pk}/")
    assert re.findall(r'<h3 class="family">(\w+)</h3>', text) == ["Identity", "Home", "Family"]
    now, _, past = text.partition("Former facts")
    for sentence in ("Mark has a cat called Luna", "Luna is a cat", "Mark lives in Portland", "Mark has a father"):
        assert sentence in now
    assert "So. <mark>I have a cat called Luna</mark>, you know." in now
    message = Message.objects.get(text__startswith="So.")
    assert f"/people/{known.person.pk}/conversations/{known.conversation.pk}/?message={message.pk}" in now
    assert "mentioned 3 times" in now
    assert "confidence 0.90" in now
    assert "Mark lives in Seattle" not in now
    assert "Mark lives in Seattle" in past
    assert re.search(r"from 1 March 2026 until <time[^>]*>22 November 2026</time>", past)


def test_what_one_character_knows_another_does_not(operator_client: Client, known: Knowing) -> None:
    other = Knowing(known.person, sheets.character("bo", name="Bo"), known.owner)
    other.fact("LIKES", known.entity("chess", "topic"))
    path = f"/people/{known.person.pk}/"
    assert "Mark likes chess" in text_of(operator_client, f"{path}?character=bo")
    assert "Mark has a cat" not in text_of(operator_client, f"{path}?character=bo")
    assert "Mark likes chess" not in text_of(operator_client, f"{path}?character=ann")


def test_without_an_acquaintance_the_page_says_what_to_do(tester_client: Client, tester: User) -> None:
    person = Person.objects.create(namespace=f"tester:{tester.pk}", outside_id="1", name="Tess")
    text = text_of(tester_client, f"/people/{person.pk}/")
    assert "No character has met Tess yet" in text
    assert f'href="/playground/?as={person.pk}"' in text


def test_who_may_not_change_sees_no_buttons(tester_client: Client, known: Knowing) -> None:
    Person.objects.filter(pk=known.person.pk).update(namespace="tester:999999")
    text = text_of(tester_client, f"/people/{known.person.pk}/")
    assert "Mark has a cat called Luna" in text
    assert "<form" not in text.partition("<main")[2].partition("</main>")[0]


def test_facts_are_asked_for_again_while_messages_are_read(operator_client: Client, known: Knowing) -> None:
    path = f"/people/{known.person.pk}/"
    assert "hx-trigger" not in text_of(operator_client, path)
    alone = operator_client.get(f"{path}facts/")
    assert (alone.status_code, alone["Location"]) == (302, path)
    known.says("I like tea", facts_read_at=None)
    job = Job.objects.create(kind="remember", subject=known.person.graph_id)
    assert 'hx-trigger="every 2s"' in text_of(operator_client, path)
    fragment = text_of(operator_client, f"{path}facts/?character=ann", headers=HTMX)
    assert fragment.startswith('<div class="stack" id="facts"')
    assert "1 message is being read" in fragment
    Job.objects.filter(pk=job.pk).update(state="failed", error="The model is down.")
    text = text_of(operator_client, path)
    assert "hx-trigger" not in text
    assert "1 message hasn’t been checked for facts: The model is down." in text
    assert "Extract facts now" in text
    Message.objects.update(facts_read_at=timezone.now())
    Job.objects.filter(pk=job.pk).update(state="done")
    assert "hx-trigger" not in text_of(operator_client, f"{path}facts/?character=ann", headers=HTMX)


def test_what_people_wrote_is_escaped(operator_client: Client, known: Knowing) -> None:
    message = known.says("I like <script>alert(1)</script>")
    known.fact("LIKES", known.entity("<script>alert(1)</script>"), message, "<script>alert(1)</script>")
    for path in paths(known)[:2]:
        assert "<script>alert" not in text_of(operator_client, path)


@pytest.mark.engine
def test_entities_are_listed_by_how_often_they_come_up_and_found_by_name(
    operator_client: Client, known: Knowing
) -> None:
    path = f"/people/{known.person.pk}/entities/"
    names = re.findall(r'entities/\d+/">(\w+)<', text_of(operator_client, path))
    assert names[0] == "Luna"
    assert set(names) == {"Luna", "cat", "Portland", "Seattle"}
    assert re.findall(r'entities/\d+/">(\w+)<', text_of(operator_client, f"{path}?q=PORT")) == ["Portland"]


def test_an_entity_has_facts_names_and_mentions(operator_client: Client, known: Knowing) -> None:
    luna = known.person.entities.get(name="Luna")
    text = text_of(operator_client, f"/people/{known.person.pk}/entities/{luna.pk}/")
    assert "also called my cat" in text
    assert "Mark has a cat called Luna" in text
    assert "Luna is a cat" in text
    assert "So. I have a cat called Luna, you know." in text
    assert f"/people/{known.person.pk}/explore/?character=ann&about={luna.pk}" in text


def test_a_conversation_is_read_with_the_message_marked_on_its_page(operator_client: Client, known: Knowing) -> None:
    first, last = (
        known.conversation.messages.earliest("pk"),
        [known.says(f"Number {index}") for index in range(120)][-1],
    )
    path = f"/people/{known.person.pk}/conversations/{known.conversation.pk}/"
    text = text_of(operator_client, path)
    assert "I&#x27;ve moved to Portland" in text
    for message in (first, last):
        text = text_of(operator_client, f"{path}?message={message.pk}")
        assert re.search(rf'id="message-{message.pk}" data-by="user" aria-current="true"', text)


def test_the_export_holds_everything_of_one_person(operator_client: Client, known: Knowing, ingrid: Person) -> None:
    earlier, later = Message.objects.order_by("pk")
    Relation.objects.create(
        person=known.person,
        character=known.character,
        earlier=earlier,
        later=later,
        relation="Contrast",
        confidence=0.8,
        status="classified",
    )
    Knowing(ingrid, known.character, known.owner).says("MARKER of Ingrid")
    answer = operator_client.get(f"/people/{known.person.pk}/export.json")
    assert answer["Content-Disposition"] == f'attachment; filename="mark-{known.person.pk}.json"'
    assert b"MARKER" not in answer.content
    document = json.loads(answer.content)
    assert document["person"]["name"] == "Mark"
    assert document["acquaintances"][0]["character"] == "ann"
    assert {fact["state"] for fact in document["facts"]} == {"current", "closed"}
    assert {entity["name"] for entity in document["entities"]} == {"Luna", "cat", "Portland", "Seattle"}
    assert [message["text"] for message in document["conversations"][0]["messages"]] == [earlier.text, later.text]
    assert document["relations"][0]["relation"] == "Contrast"
    luna = next(entity for entity in document["entities"] if entity["name"] == "Luna")
    assert (luna["aliases"], luna["mentioned_in"]) == (["my cat"], [earlier.graph_id])
    (evidence,) = next(fact for fact in document["facts"] if fact["predicate"] == "HAS_PET")["evidence"]
    assert earlier.text[evidence["start"] : evidence["end"]] == "I have a cat called Luna"


def test_forgetting_is_followed_until_graph_and_vectors_have_forgotten(operator_client: Client, known: Knowing) -> None:
    assert operator_client.get(f"/people/forgotten/{known.person.pk}/").status_code == 404
    Change.objects.note("person:999", "person", [999])
    text = text_of(operator_client, "/people/forgotten/999/")
    assert "in a few seconds" in text
    assert 'hx-trigger="every 2s"' in text
    Change.objects.all().delete()
    fragment = text_of(operator_client, "/people/forgotten/999/", headers=HTMX)
    assert "Graph and vectors: gone" in fragment
    assert "hx-trigger" not in fragment
    assert "make purge" in fragment


def test_hidden_characters_of_a_fact_and_of_its_message_are_shown(operator_client: Client, known: Knowing) -> None:
    fact = known.fact("LIKES", known.entity("k\u200belp"), known.says("I like the k\u200belp"), "k\u200belp")
    conversation = f"conversations/{known.conversation.pk}/"
    for path in ("", f"facts/{fact.pk}/", conversation):
        text = text_of(operator_client, f"/people/{known.person.pk}/{path}")
        assert "U+200B</span>elp" in text, path
