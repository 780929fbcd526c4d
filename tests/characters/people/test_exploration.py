"""Exploring what a character remembers: the walk through the real graph, the picture, the messages behind an edge."""

import re

import pytest
from django.test import Client

from characters.conversations.models import Person
from characters.memory import graph
from characters.memory.models import Entity, UserFact
from characters.memory.projection import PersonProjector
from characters.people.exploration import MAX_NODES
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.people.known_person import Knowing
from tests.characters.profiles import sheets
from tests.fixtures.engines import HASTY
from tests.fixtures.talk import Lead
from tests.pages import HTMX, text_of
from tests.rest import get


def remembered(person: Person, character: Character, owner: User) -> Knowing:
    """Luna the cat with a brother, both with Mark, in a tank's neighbourhood; yoga is Mark's own."""
    known = Knowing(person, character, owner)
    luna, sol = known.entity("Luna", "pet", "my cat"), known.entity("Sol", "pet")
    fish, tank = known.entity("fish"), known.entity("saltwater tank")
    message = known.says("I have a cat called Luna", luna)
    both = known.says("Luna watches the saltwater tank all day", luna, tank)
    known.fact("HAS_PET", luna, message, "a cat called Luna")
    known.fact("HAS_BROTHER", sol, subject=luna)
    known.fact("LIKES", fish, subject=sol)
    known.fact("LIKES", known.entity("yoga", "topic"), both, "all day")
    return known


@pytest.fixture
def known(mark: Person, ann: Character, operator: User) -> Knowing:
    known = remembered(mark, ann, operator)
    PersonProjector().project(mark.graph_id)
    return known


def path(known: Knowing, query: str = "") -> str:
    return f"/people/{known.person.pk}/explore/?character={known.character.slug}{query}"


def drawn(text: str) -> set[str]:
    """The names in the picture."""
    return {name.strip() for name in re.findall(r'<text class="name"[^>]*>([^<]+)<', text)}


def linked(text: str, hint: str) -> str:
    """Where a node or an edge of the picture leads."""
    link = re.search(rf'<a [^>]*href="([^"]+)"[^>]*aria-label="{hint}"', text)
    assert link, hint
    return link[1].replace("&amp;", "&")


def test_a_walk_shows_the_neighbours_as_far_as_it_goes(operator_client: Client, known: Knowing) -> None:
    answer = operator_client.get(path(known, "&about=Luna"), headers=HTMX)
    assert answer.content.decode().strip().startswith('<div class="explored" id="explored"')
    assert answer["HX-Push-Url"] == path(known, "&about=Luna")
    text = text_of(operator_client, path(known, "&about=Luna"))
    assert drawn(text) == {"Luna", "Mark", "Sol", "saltwater tank"}
    assert "Mark has a pet called Luna" in text
    assert "Luna and saltwater tank were mentioned together" in text
    assert "in 1 message" in text
    farther = text_of(operator_client, path(known, "&about=Luna&hops=2"))
    assert drawn(farther) == drawn(text) | {"fish"}  # not yoga: through the person nobody walks
    assert f"about={known.person.entities.get(name='Sol').pk}" in linked(farther, "Start from Sol")


def test_a_node_opens_its_neighbours_and_closes_them(operator_client: Client, known: Knowing) -> None:
    first = text_of(operator_client, path(known, "&about=Luna"))
    base = f"/people/{known.person.pk}/explore/"
    expanded = text_of(operator_client, base + linked(first, "Open Sol"))
    assert drawn(expanded) == drawn(first) | {"fish"}
    assert drawn(text_of(operator_client, base + linked(expanded, "Close Sol"))) == drawn(first)
    assert drawn(text_of(operator_client, base + linked(first, "Open Mark"))) == drawn(first) | {"yoga"}


def test_an_edge_shows_the_messages_behind_it(operator_client: Client, known: Knowing) -> None:
    fact = UserFact.objects.get(predicate="HAS_PET")
    text = text_of(operator_client, path(known, f"&about=Luna&edge={fact.graph_id}"))
    behind = text.partition('id="behind"')[2]
    assert "I have <mark>a cat called Luna</mark>" in behind
    assert "Mark in" in behind
    assert "1 March 2026" in behind
    together = linked(text, "Luna and saltwater tank were mentioned together")
    text = text_of(operator_client, f"/people/{known.person.pk}/explore/{together}")
    behind = text.partition('id="behind"')[2].partition("In words")[0]
    assert "Luna watches the saltwater tank all day" in behind
    assert "I have a cat" not in behind


def test_what_is_asked_in_words_is_found_asked_back_or_answered_with_a_choice(
    operator_client: Client, known: Knowing
) -> None:
    for about in ("my cat", "LUNA", "What do you remember about Luna?", "Luna's brother"):
        assert "Luna" in drawn(text_of(operator_client, path(known, f"&about={about}"))), about
    several = text_of(operator_client, path(known, "&about=Luna and Sol"))
    assert ("Which one?" in several, drawn(several)) == (True, set())
    unknown = text_of(operator_client, path(known, "&about=Paris"))
    assert "Ann Holm knows nothing by that name" in unknown
    assert ">Luna <" in unknown
    assert "What Ann Holm knows" in text_of(operator_client, path(known))


def test_a_fact_that_only_the_graph_still_holds_is_not_shown(operator_client: Client, known: Knowing) -> None:
    UserFact.objects.filter(predicate="HAS_BROTHER").delete()
    assert drawn(text_of(operator_client, path(known, "&about=Luna"))) == {"Luna", "Mark", "saltwater tank"}


def test_at_most_sixty_nodes_are_drawn_and_the_page_says_so(operator_client: Client, known: Knowing) -> None:
    luna = known.person.entities.get(name="Luna")
    for index in range(MAX_NODES + 10):
        known.fact("LIKES", known.entity(f"toy {index}"), subject=luna)
    PersonProjector().project(known.person.graph_id)
    text = text_of(operator_client, path(known, "&about=Luna&hops=3"))
    assert len(drawn(text)) == MAX_NODES
    assert f"the nearest {MAX_NODES} nodes are drawn" in text


def test_nothing_of_another_person_or_character_is_reached(
    operator_client: Client, known: Knowing, operator: User
) -> None:
    noor = Person.objects.create(namespace="tester:all", outside_id="noor", name="Noor")
    other = remembered(noor, known.character, operator)
    other.fact("LIKES", other.entity("NOORMARKER"), subject=noor.entities.get(name="Luna"))
    bo = Knowing(known.person, sheets.character("bo", name="Bo"), operator)
    bo.fact("LIKES", bo.entity("BOMARKER"), subject=known.person.entities.get(name="Luna"))
    for person in (noor, known.person):
        PersonProjector().project(person.graph_id)
    nodes = ",".join(f"entity:{pk}" for pk in noor.entities.values_list("pk", flat=True))
    text = text_of(operator_client, path(known, f"&about=Luna&hops=3&open={nodes},{noor.graph_id}"))
    assert "NOORMARKER" not in text
    assert "Noor" not in text
    assert "BOMARKER" not in text
    assert "BOMARKER" in text_of(operator_client, path(bo, "&about=Luna"))
    theirs = [entity.graph_id for entity in noor.entities.all()]
    explored = graph.explore(
        owner=known.person.graph_id,
        character=known.character.graph_id,
        seeds=theirs,
        hops=3,
        expanded=[noor.graph_id],
        most=MAX_NODES,
    )
    assert (explored.ties, set(explored.nodes)) == ({}, set(theirs))


def test_a_graph_that_is_down_is_said_and_the_rest_of_the_pages_works(
    operator_client: Client, known: Knowing, wire: Lead
) -> None:
    wire(graph_url="bolt://127.0.0.1:1", **HASTY)
    page = operator_client.get(path(known, "&about=Luna"))
    fragment = operator_client.get(path(known, "&about=Luna"), headers=HTMX)
    assert (page.status_code, fragment.status_code) == (503, 503)
    assert "The graph" in page.content.decode()
    assert "<html" not in fragment.content.decode()
    assert operator_client.get(path(known)).status_code == 200
    assert operator_client.get(f"/people/{known.person.pk}/").status_code == 200


def names(client: Client, known: Knowing, query: str) -> set[str]:
    explored = get(client, f"/people/{known.person.pk}/explore?about=Luna{query}")
    return {each["name"] for each in explored["nodes"]}


def test_programs_explore_with_every_option_of_the_page(operator_client: Client, known: Knowing) -> None:
    near = names(operator_client, known, "")
    assert near == names(operator_client, known, "&open=person:999&open=entity:999")
    assert names(operator_client, known, "&hops=2") == near | {"fish"}
    sol, mark = Entity.objects.get(name="Sol").graph_id, known.person.graph_id
    assert names(operator_client, known, f"&open={mark}&open={sol}") == near | {"yoga", "fish"}
    pet = UserFact.objects.get(predicate="HAS_PET").graph_id
    explored = get(operator_client, f"/people/{known.person.pk}/explore?about=Luna&open={mark}&edge={pet}")
    assert {each["name"] for each in explored["nodes"] if each["open"]} == {"Luna", "Mark"}
    assert pet in [each["id"] for each in explored["edges"]]
    assert explored["behind"]["sentence"] == "Mark has a pet called Luna"
    assert [quote["marked"] for quote in explored["behind"]["quotes"]] == ["a cat called Luna"]
