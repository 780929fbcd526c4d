"""People, their facts, entities and conversations through the API."""

from django.test import Client

from characters.conversations.models import Person
from characters.memory.models import Entity, UserFact
from tests.characters.people.known_person import Knowing
from tests.rest import call, get

READ = [
    "/people",
    "/people/{pk}",
    "/people/{pk}/reading",
    "/people/{pk}/export",
    "/people/{pk}/facts",
    "/people/{pk}/facts/{fact}",
    "/people/{pk}/entities",
    "/people/{pk}/entities/{luna}",
    "/people/{pk}/entities/{luna}/facts",
    "/people/{pk}/entities/{luna}/mentions",
    "/people/{pk}/predicates",
    "/people/{pk}/forgetting",
    "/people/{pk}/conversations",
    "/people/{pk}/conversations/{conversation}/messages",
]
CHANGES: list[tuple[str, str, object]] = [
    ("GET", "/people/{pk}/entities/{luna}/merge?into={portland}", None),  # what a merge would do
    ("POST", "/people/{pk}/reading", None),
    ("POST", "/people/{pk}/facts", {"predicate": "LIKES", "text": "rain"}),
    ("PUT", "/people/{pk}/facts/{fact}", {"text": "Misty"}),
    ("DELETE", "/people/{pk}/facts/{fact}", None),
    ("PATCH", "/people/{pk}/entities/{luna}", {"name": "Lulu"}),
    ("POST", "/people/{pk}/entities/{luna}/aliases", {"name": "the old cat"}),
    ("POST", "/people/{pk}/entities/{luna}/merge", {"into": "{portland}"}),
    ("DELETE", "/people/{pk}/conversations/{conversation}", None),
    ("DELETE", "/people/{pk}?name=Mark", None),
]


def path_of(path: str, known: Knowing) -> str:
    ids = dict(Entity.objects.values_list("name", "pk"))
    fact = UserFact.objects.get(predicate="HAS_PET")
    return path.format(
        pk=known.person.pk, fact=fact.pk, luna=ids["Luna"], portland=ids["Portland"], conversation=known.conversation.pk
    )


def sent(body: object, known: Knowing) -> object:
    """The body, with the id of an entity in it."""
    if isinstance(body, dict) and "into" in body:
        return {"into": Entity.objects.get(name="Portland").pk}
    return body


def test_a_tester_reads_of_test_people_and_changes_those_that_they_play(tester_client: Client, known: Knowing) -> None:
    reads = [("GET", path_of(path, known), None) for path in READ]
    changes = [(method, path_of(path, known), sent(body, known)) for method, path, body in CHANGES]
    for namespace, asked, status in (
        ("tester:999", reads, 200),
        ("tester:999", changes, 403),
        ("import", [*reads[1:], *changes], 403),
    ):
        Person.objects.update(namespace=namespace)
        for method, path, body in asked:
            assert call(tester_client, method, path, body).status == status, (namespace, method, path)


def test_people_are_listed_found_and_trusted(operator_client: Client, tester_client: Client, known: Knowing) -> None:
    Person.objects.create(namespace="import", outside_id="ingrid", name="Ingrid")
    assert [each["name"] for each in get(operator_client, "/people")["items"]] == ["Mark", "Ingrid"]
    assert [each["name"] for each in get(operator_client, "/people?kind=imported")["items"]] == ["Ingrid"]
    assert [each["name"] for each in get(tester_client, "/people")["items"]] == ["Mark"]
    (mark,) = get(operator_client, "/people?q=mar")["items"]
    assert (mark["facts"], mark["messages"], mark["acquaintances"][0]["character"]) == (2, 1, "ann")
    trust = {"character": "ann", "trust": 0.8}
    assert call(operator_client, "PUT", f"/people/{mark['id']}/trust", trust).body["trust"] == 0.8
    assert call(tester_client, "POST", "/people", {"name": "Mia"}).status == 201


def test_a_fact_is_added_corrected_and_forgotten(operator_client: Client, known: Knowing) -> None:
    path = f"/people/{known.person.pk}/facts"
    added = call(operator_client, "POST", f"{path}?character=ann", {"predicate": "LIVES_IN", "text": "Lisbon"})
    assert (added.body["sentence"], added.body["origin"]) == ("Mark lives in Lisbon", "operator")
    address = f"{path}/{added.body['id']}"
    assert call(operator_client, "PUT", address, {"text": "Porto"}).body["sentence"] == "Mark lives in Porto"
    assert get(operator_client, address)["predicate"] == "LIVES_IN"
    closed = get(operator_client, f"{path}?state=closed")["items"]
    assert {each["text"] for each in closed} == {"Seattle", "Portland"}
    assert call(operator_client, "DELETE", address).status == 204
    assert call(operator_client, "GET", address).status == 404


def test_entities_are_found_renamed_named_and_merged(operator_client: Client, known: Knowing) -> None:
    path = f"/people/{known.person.pk}/entities"
    (luna,), (portland,) = (get(operator_client, f"{path}?q={name}")["items"] for name in ("lun", "portland"))
    address = f"{path}/{luna['id']}"
    call(operator_client, "PATCH", address, {"name": "Lulu"})
    names = call(operator_client, "POST", f"{address}/aliases", {"name": "the old cat"}).body["aliases"]
    assert {each["text"] for each in names} == {"my cat", "Luna", "the old cat"}
    for status in (204, 404):
        assert call(operator_client, "DELETE", f"{address}/aliases/{names[0]['id']}").status == status
    merged = call(operator_client, "POST", f"{address}/merge", {"into": portland["id"]})
    assert (merged.body["id"], call(operator_client, "GET", address).status) == (portland["id"], 404)


def test_what_was_said_is_read_in_order_and_forgotten(operator_client: Client, known: Knowing) -> None:
    known.says("And she is old.")
    path = f"/people/{known.person.pk}/conversations"
    (conversation,) = get(operator_client, path)["items"]
    assert (conversation["character"], conversation["messages"], conversation["imported"]) == ("ann", 2, False)
    messages = get(operator_client, f"{path}/{conversation['id']}/messages")
    assert [each["text"] for each in messages["items"]][1] == "And she is old."
    assert call(operator_client, "DELETE", f"{path}/{conversation['id']}").status == 204
    assert get(operator_client, path)["total"] == 0


def test_a_person_is_forgotten_by_name_only(operator_client: Client, known: Knowing) -> None:
    path = f"/people/{known.person.pk}"
    assert call(operator_client, "DELETE", path).status == 422
    wrong = call(operator_client, "DELETE", f"{path}?name=Marc")
    assert (wrong.status, "Nothing was forgotten" in wrong.detail) == (409, True)
    assert call(operator_client, "GET", f"/people/forgotten/{known.person.pk}").status == 404
    assert call(operator_client, "DELETE", f"{path}?name=Mark").body == {"id": known.person.pk, "waits": True}
    assert call(operator_client, "GET", path).status == 404
    assert get(operator_client, f"/people/forgotten/{known.person.pk}")["waits"] is True
