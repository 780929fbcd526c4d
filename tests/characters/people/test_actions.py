"""What is done on the pages of people: facts, names, trust, merging, forgetting."""

from typing import Any

from django.test import Client

from characters.conversations.models import Acquaintance, Conversation, Message, Person
from characters.memory.models import Alias, Entity, UserFact
from kgadmin.accounts.models import User
from tests.characters.people.known_person import Knowing
from tests.pages import text_of


def page(known: Knowing, part: str = "") -> str:
    return f"/people/{known.person.pk}/{part}"


def version(known: Knowing) -> int:
    return Acquaintance.objects.get(pk=known.acquaintance.pk).facts_version


def words_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def posts(known: Knowing) -> list[str]:
    """Every address that changes something."""
    fact, luna = known.person.facts.first(), known.person.entities.get(name="Luna")
    assert fact
    alias, _ = Alias.objects.get_or_create(entity=luna, key="lulu", text="Lulu")
    parts = [
        "forget/",
        "trust/",
        "read/",
        "facts/add/",
        *(f"facts/{fact.pk}/{verb}/" for verb in ("correct", "undo", "forget")),
    ]
    parts += [f"entities/{luna.pk}/{each}/" for each in ("rename", "merge", "aliases", f"aliases/{alias.pk}/remove")]
    return [page(known, part) for part in [*parts, f"conversations/{known.conversation.pk}/forget/"]]


def test_a_tester_changes_neither_a_real_person_nor_another_testers(tester_client: Client, known: Knowing) -> None:
    for namespace in ("import", "tester:999999"):
        Person.objects.update(namespace=namespace)
        for path in posts(known):
            assert tester_client.post(path).status_code == 403, (namespace, path)


def test_nothing_of_somebody_else_is_changed_through_an_address(operator_client: Client, known: Knowing) -> None:
    other = Person.objects.create(namespace="import", outside_id="o", name="Other")
    for path in posts(known):
        if path.count("/") > 4 and not path.endswith("/facts/add/"):
            elsewhere = path.replace(f"/people/{known.person.pk}/", f"/people/{other.pk}/")
            assert operator_client.post(elsewhere).status_code == 404, elsewhere
    assert UserFact.objects.count() == 3


def test_a_tester_makes_a_test_person(tester_client: Client, tester: User) -> None:
    answer = tester_client.post("/people/new/", {"name": "  Priya   Nair "})
    person = Person.objects.get()
    assert (person.name, person.namespace) == ("Priya Nair", f"tester:{tester.pk}")
    assert answer["Location"] == f"/people/{person.pk}/"


def test_a_fact_is_added_by_hand(operator_client: Client, known: Knowing) -> None:
    luna, before = known.person.entities.get(name="Luna"), version(known)
    add = page(known, "facts/add/?character=ann")
    answer = operator_client.post(add, {"predicate": "LIKES", "text": "green tea", "subject": ""})
    assert answer["Location"] == page(known, "?character=ann#facts")
    fact = UserFact.objects.get(predicate="LIKES")
    assert (fact.text, fact.origin, fact.subject) == ("green tea", "operator", None)
    assert version(known) > before
    operator_client.post(add, {"predicate": "IS_A", "text": "cat", "subject": str(luna.pk)})
    shown = text_of(operator_client, page(known))
    assert "Mark likes green tea" in shown
    assert "Mark has a cat called Luna" in shown
    assert "added by an operator" in shown


def test_what_a_fact_cannot_say_is_told_and_nothing_changes(operator_client: Client, known: Knowing) -> None:
    correct = f"facts/{UserFact.objects.current().get(predicate='LIVES_IN').pk}/correct/"
    wrong: list[tuple[str, dict[str, str]]] = [
        ("facts/add/", {"predicate": "LIKES", "text": ""}),
        ("facts/add/", {"predicate": "NOTHING", "text": "tea"}),
        ("facts/add/", {"predicate": "LIKES", "text": "x" * 301}),
        (correct, {"predicate": "LIVES_IN", "text": " "}),
    ]
    for part, given in wrong:
        answer = operator_client.post(page(known, part), given)
        assert (answer.status_code, 'role="alert"' in words_of(answer)) == (422, True), (part, given)
        assert f'value="{given["text"]}"' in words_of(answer), "what was typed is still there"
    assert set(UserFact.objects.current().values_list("text", flat=True)) == {"Luna", "Portland"}


def test_a_fact_is_corrected_and_forgotten(operator_client: Client, known: Knowing) -> None:
    fact, before = UserFact.objects.current().get(predicate="LIVES_IN"), version(known)
    base = page(known, f"facts/{fact.pk}/")
    answer = operator_client.post(f"{base}correct/", {"predicate": "LIVES_IN", "text": "Porto"})
    assert answer["Location"] == base
    shown = text_of(operator_client, base)
    assert "Mark lives in Porto" in shown
    assert "The fact was corrected" in shown
    assert "Undo the last correction" in shown
    assert not UserFact.objects.current().filter(text="Portland").exists()
    corrected = version(known)
    operator_client.post(f"{base}undo/")
    assert "Mark lives in Portland" in text_of(operator_client, page(known))
    operator_client.post(f"{base}correct/", {"about": "character", "predicate": "LIVES_IN", "text": "Portland"})
    assert "until" in text_of(operator_client, base)
    operator_client.post(f"{base}undo/")
    operator_client.post(f"{base}forget/")
    assert not UserFact.objects.current().filter(predicate="LIVES_IN").exists()
    assert version(known) > corrected > before
    assert "Porto" not in text_of(operator_client, page(known)).partition("Add a fact")[0]


def test_trust_is_a_number_from_zero_to_one(operator_client: Client, known: Knowing) -> None:
    for trust in ("", "2", "-1", "much", "nan"):
        answer = operator_client.post(page(known, "trust/"), {"trust": trust, "character": "ann"})
        assert (answer.status_code, f'value="{trust or 0.5}"' in words_of(answer)) == (422, True), trust
    assert Acquaintance.objects.get().trust == 0.5
    operator_client.post(page(known, "trust/?character=ann"), {"trust": "0.8", "character": "ann"})
    assert Acquaintance.objects.get().trust == 0.8


def test_an_entity_is_renamed_and_not_to_nothing_or_to_another_one(operator_client: Client, known: Knowing) -> None:
    luna, before = known.person.entities.get(name="Luna"), version(known)
    base = page(known, f"entities/{luna.pk}/")
    for name in ("", "x" * 201, "Portland"):
        answer = operator_client.post(f"{base}rename/", {"name": name})
        typed = f'value="{name}" required maxlength="200" aria-label="Name"'
        assert (answer.status_code, typed in words_of(answer)) == (422, True), name
    answer = operator_client.post(f"{base}aliases/", {"name": " "})
    assert (answer.status_code, "Fill in: Name." in words_of(answer)) == (422, True)
    assert (Entity.objects.get(pk=luna.pk).name, version(known)) == ("Luna", before)
    operator_client.post(f"{base}rename/", {"name": "Luna Belle"})
    luna.refresh_from_db()
    assert luna.name == "Luna Belle"
    assert version(known) > before


def test_names_are_added_and_removed(operator_client: Client, known: Knowing) -> None:
    luna, before = known.person.entities.get(name="Luna"), version(known)
    base = page(known, f"entities/{luna.pk}/")
    operator_client.post(f"{base}aliases/", {"name": "Lulu"})
    alias = luna.aliases.get(text="Lulu")
    assert version(known) > before
    assert "Lulu" in text_of(operator_client, base)
    for _ in range(2):  # a second click is no error
        assert operator_client.post(f"{base}aliases/{alias.pk}/remove/").status_code == 302
    assert [alias.text for alias in luna.aliases.all()] == ["my cat"]


def test_merging_shows_first_what_moves_and_moves_everything(operator_client: Client, known: Knowing) -> None:
    luna, double = known.person.entities.get(name="Luna"), known.entity("Luna the cat", "pet", "Lulu")
    known.says("Luna the cat sleeps", double)
    known.fact("HAS_PET", double)
    fish = known.fact("LIKES", known.entity("fish"), subject=double)
    merge = page(known, f"entities/{double.pk}/merge/")
    text = text_of(operator_client, f"{merge}?into={luna.pk}")
    assert "Luna the cat, Lulu: become aliases of Luna" in text
    assert "1 message mentioning only Luna the cat" in text
    assert "Luna the cat likes fish" in text
    assert Entity.objects.filter(pk=double.pk).exists()
    answer = operator_client.post(merge, {"into": luna.pk})
    assert answer["Location"] == page(known, f"entities/{luna.pk}/")
    fish.refresh_from_db()
    assert fish.subject == luna
    assert UserFact.objects.current().filter(predicate="HAS_PET").count() == 1
    assert luna.aliases.filter(text="Luna the cat").exists()


def test_merging_needs_another_entity_of_the_same_person(operator_client: Client, known: Knowing) -> None:
    luna = known.person.entities.get(name="Luna")
    other = Person.objects.create(namespace="import", outside_id="o", name="Other")
    theirs = Entity.objects.create(person=other, key="x", name="x")
    path = page(known, f"entities/{luna.pk}/merge/")
    for into in ("", "999999", "x", str(luna.pk), str(theirs.pk)):
        assert operator_client.get(f"{path}?into={into}").status_code == 404, into
        assert operator_client.post(path, {"into": into}).status_code == 404, into


def test_a_conversation_is_forgotten_with_what_only_it_said(operator_client: Client, known: Knowing) -> None:
    answer = operator_client.post(page(known, f"conversations/{known.conversation.pk}/forget/"))
    assert answer["Location"] == page(known, "conversations/")
    assert not Conversation.objects.exists()
    assert not UserFact.objects.filter(predicate="HAS_PET").exists()


def test_a_person_is_forgotten_once_their_name_was_typed(operator_client: Client, known: Knowing) -> None:
    text = text_of(operator_client, page(known, "forget/"))
    for what in ("Conversations", "Messages", "Facts", "Entities"):
        assert what in text
    assert "Type <b>Mark</b> to confirm" in text
    for name in ("", "mark", "Noor"):
        answer = operator_client.post(page(known, "forget/"), {"name": name})
        assert (answer.status_code, "Nothing was forgotten" in words_of(answer)) == (409, True), name
    assert Person.objects.filter(pk=known.person.pk).exists()
    answer = operator_client.post(page(known, "forget/"), {"name": " Mark "}, follow=True)
    assert not Person.objects.filter(pk=known.person.pk).exists()
    assert not UserFact.objects.exists()
    assert not Message.objects.exists()
    assert answer.redirect_chain[-1][0] == f"/people/forgotten/{known.person.pk}/"
    assert "Graph and vectors: in a few seconds" in words_of(answer)
    assert "Mark" not in words_of(answer)
    assert operator_client.get(page(known)).status_code == 404
