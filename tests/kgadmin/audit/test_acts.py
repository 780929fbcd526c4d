"""What people do is written down by the service that does it: what, to what, by whom."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from characters.conversations import imports
from characters.conversations import services as conversations
from characters.conversations.models import Conversation, ConversationImport, Person
from characters.memory import entities, erasure, facts
from characters.memory.enrichment import services as enrichment
from characters.memory.models import Alias, Entity, Relation, UserFact
from characters.profiles import access
from characters.profiles import services as profiles
from characters.profiles.models import Character
from kgadmin.accounts import keys
from kgadmin.accounts import services as accounts
from kgadmin.accounts.models import ApiKey, User
from kgadmin.audit.models import Entry
from kgadmin.audit.services import Act, record
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.rest.actions import Refused
from tests.characters.memory import people
from tests.characters.profiles import sheets
from tests.fixtures.talk import register_predicates
from tests.stores_search import found_in_rows

SECRET = "a long enough password"
NAME, WORD = "Zanzibar", "quetzal"


@dataclass(slots=True)
class Done:
    """Who acts, and upon what; whoever made these is nobody."""

    by: User
    other: User
    ann: Character
    person: Person
    talk: Conversation
    fact: UserFact
    luna: Entity
    sol: Entity
    relation: Relation
    base: KnowledgeBase
    document: Document
    key: ApiKey

    def import_(self) -> ConversationImport:
        line = b'{"role": "user", "content": "Hi", "conversation": "1", "person": "7"}'
        return imports.upload(name=f"{NAME}.jsonl", content=line, by=self.by)

    def alias(self) -> Alias:
        return self.luna.aliases.create(text=f"Lulu {WORD}", key="lulu")


@pytest.fixture
def world(admin: User, author: User, tester: User) -> Done:
    register_predicates()
    ann, person = sheets.character("ann"), people.person(NAME)
    talk = people.conversation(person, ann)
    first, second = people.message(talk, f"I have Luna {WORD}."), people.message(talk, "And Sol.")
    luna, sol = people.entity(person, f"Luna {WORD}"), people.entity(person, f"Sol {WORD}")
    fact = people.fact(ann, "HAS_PET", luna, message=first)
    base = knowledge.register(name="Reef", by=None)
    access.share(character=ann, user=tester, may_edit=False, by=None)
    return Done(
        by=admin,
        other=author,
        ann=ann,
        person=person,
        talk=talk,
        fact=fact,
        luna=luna,
        sol=sol,
        relation=people.relation(first, second, "Reframe/Correction"),
        base=base,
        document=knowledge.add_document(base=base, name="reef.md", content=b"# Reef", by=None),
        key=keys.create_key(keys.client_named("A bot", by=author), scopes=["chat"], by=None)[0],
    )


def a_conversation(done: Done) -> str:
    pk = done.talk.pk
    erasure.forget_conversation(done.talk, by=done.by)
    return f"conversation:{pk}"


def added(done: Done) -> str:
    made = facts.add(person=done.person, character=done.ann, predicate="LIKES", text=f"Fog {WORD}", by=done.by)
    return made.graph_id


def deleted(done: Done) -> str:
    subject = done.base.subject
    knowledge.delete(done.base, by=done.by)
    return subject


def replaced(done: Done) -> str:
    return knowledge.add_document(base=done.base, name="reef.md", content=b"# Kelp", by=done.by).subject


def restored(done: Done) -> None:
    profiles.archive(done.ann, by=None)
    profiles.restore(done.ann, by=done.by)


def started(done: Done) -> str:
    upload = done.import_()
    imports.start(import_=upload, character=done.ann, person=done.person, by=done.by)
    return upload.subject


def switched_on(done: Done) -> None:
    accounts.switch(done.other, on=False, by=None)
    accounts.switch(done.other, on=True, by=done.by)


ACTS: dict[str, Callable[[Done], object]] = {
    "forgot person": lambda done: erasure.forget_person(done.person, by=done.by),
    "forgot conversation": a_conversation,
    "added user_fact": added,
    "corrected user_fact": lambda done: facts.correct(fact=done.fact, text=f"Sol {WORD}", by=done.by).graph_id,
    "forgot user_fact": lambda done: facts.forget(fact=done.fact, by=done.by),
    "renamed entity": lambda done: entities.rename(entity=done.luna, name=f"Lu {WORD}", by=done.by),
    "added an alias to entity": lambda done: entities.add_alias(entity=done.luna, text=f"Lu {WORD}", by=done.by),
    "removed an alias from entity": lambda done: entities.remove_alias(alias=done.alias(), by=done.by),
    "merged entity": lambda done: entities.merge(into=done.sol, other=done.luna, by=done.by),
    "relabelled relation": lambda done: enrichment.decide(
        done.relation, Relation.Status.RELABELLED, name=people.CLASS_NAMES[0], by=done.by
    ),
    "rejected relation": lambda done: enrichment.decide(done.relation, Relation.Status.REJECTED, by=done.by),
    "set trust in person": lambda done: conversations.set_trust(
        person=done.person, character=done.ann, trust=0.9, by=done.by
    ),
    "started import": started,
    "made character": lambda done: profiles.create_empty("Bo", by=done.by).graph_id,
    "shared character": lambda done: access.share(character=done.ann, user=done.other, may_edit=True, by=done.by),
    "unshared character": lambda done: access.unshare(character=done.ann, username="tester", by=done.by),
    "handed over character": lambda done: access.hand_over(character=done.ann, to=done.other, by=done.by),
    "archived character": lambda done: profiles.archive(done.ann, by=done.by),
    "restored character": restored,
    "registered base": lambda done: knowledge.register(name="Kelp", by=done.by).subject,
    "changed base": lambda done: knowledge.change(done.base, enabled=False, by=done.by),
    "deleted base": deleted,
    "added document": lambda done: (
        knowledge.add_document(base=done.base, name="kelp.md", content=b"# Kelp", by=done.by).subject
    ),
    "replaced document": replaced,
    "removed document": lambda done: knowledge.remove_document(done.document, by=done.by),
    "invited account": lambda done: (
        accounts.invite(username="mara", roles=["author"], is_admin=False, by=done.by).subject
    ),
    "changed roles of account": lambda done: accounts.give_roles(
        done.other, roles=["tester"], is_admin=False, by=done.by
    ),
    "disabled account": lambda done: accounts.switch(done.other, on=False, by=done.by),
    "enabled account": switched_on,
    "made a link for account": lambda done: accounts.new_link(done.other, by=done.by) and None,
    "made key": lambda done: keys.create_key(done.key.client, scopes=["read"], by=done.by)[0].subject,
    "revoked key": lambda done: keys.revoke(done.key, by=done.by),
}
"""By verb and kind of what it is done to; where that is made by the act, or gone after it, the act gives its id."""


@pytest.mark.parametrize("act", ACTS)
def test_whoever_does_it_stands_in_the_log(world: Done, act: str) -> None:
    verb, _, kind = act.rpartition(" ")
    subjects = {
        "person": world.person.graph_id,
        "user_fact": world.fact.graph_id,
        "entity": world.luna.graph_id,
        "relation": world.relation.graph_id,
        "character": world.ann.graph_id,
        "base": world.base.subject,
        "document": world.document.subject,
        "account": world.other.subject,
        "key": world.key.subject,
    }
    given = ACTS[act](world)
    subject = given if isinstance(given, str) else subjects[kind]
    entries = Entry.objects.filter(actor=world.by.username, actor_id=world.by.pk)
    assert (verb, subject) in entries.values_list("verb", "subject")


def test_whoever_sets_a_password_does_it_to_their_own(operator: User) -> None:
    accounts.set_password(operator, SECRET)
    assert str(Entry.objects.get()) == f"operator set the password of {operator.subject}"


def test_no_secret_stands_in_the_log(world: Done) -> None:
    _, text = keys.create_key(world.key.client, scopes=["read"], by=world.by)
    link = accounts.new_link(world.other, by=world.by)
    accounts.set_password(world.other, SECRET)
    for secret in (text, text[:8], link.rpartition("-")[2], SECRET, world.other.password):
        assert in_the_log(secret) == [], secret


def test_what_changes_nothing_is_no_act(world: Done) -> None:
    before = Entry.objects.count()
    profiles.restore(world.ann, by=world.by)
    knowledge.change(world.base, enabled=True, by=world.by)
    accounts.give_roles(world.other, roles=["author"], is_admin=False, by=world.by)
    accounts.switch(world.other, on=True, by=world.by)
    with pytest.raises(Refused):
        access.unshare(character=world.ann, username="nobody", by=world.by)
    conversations.set_trust(person=world.person, character=world.ann, trust=0.5, by=world.by)
    assert Entry.objects.count() == before


def in_the_log(marker: str) -> list[str]:
    return [place for place in found_in_rows(marker) if place.startswith("audit.")]


def change_everything(done: Done) -> None:
    """Words of the person into every entry that takes any."""
    started(done)
    conversations.set_trust(person=done.person, character=done.ann, trust=0.9, by=done.by)
    entities.rename(entity=done.luna, name=f"Lu {WORD}", by=done.by)
    entities.add_alias(entity=done.luna, text=f"Lulu {WORD}", by=done.by)
    entities.remove_alias(alias=done.alias(), by=done.by)
    entities.merge(into=done.sol, other=done.luna, by=done.by)
    done.fact.refresh_from_db()
    facts.correct(fact=done.fact, text=f"Sol {WORD}", by=done.by)


def test_a_forgotten_person_leaves_that_they_were_forgotten_and_by_whom(world: Done) -> None:
    change_everything(world)
    added(world)
    facts.forget(fact=UserFact.objects.get(predicate="LIKES"), by=world.by)
    assert in_the_log(WORD)
    before, subject = Entry.objects.count(), world.person.graph_id
    erasure.forget_person(world.person, by=world.by)
    assert (found_in_rows(WORD), found_in_rows(NAME)) == ([], [])
    entry = Entry.objects.first()
    assert entry is not None
    assert (Entry.objects.count(), str(entry), entry.actor_id) == (before + 1, f"admin forgot {subject}", world.by.pk)
    assert (entry.detail.before, entry.detail.after, entry.detail.redacted_at) == ({}, {}, None)
    erasure.forget_person(world.person, by=world.by)
    assert Entry.objects.count() == before + 1


def test_a_forgotten_fact_leaves_its_id_and_its_predicate(world: Done) -> None:
    change_everything(world)
    assert in_the_log(WORD)
    facts.forget(fact=world.fact, by=world.by)
    assert in_the_log(WORD) == []
    entry = Entry.objects.get(verb="forgot")
    assert (entry.subject, entry.detail.before, entry.detail.after) == (
        world.fact.graph_id, {"predicate": "HAS_PET"}, {},
    )  # fmt: skip


def test_a_forgotten_conversation_takes_its_words_out_of_the_log(world: Done) -> None:
    facts.correct(fact=world.fact, text="Moon", by=world.by)
    assert in_the_log(WORD)
    erasure.forget_conversation(world.talk, by=world.by)
    assert in_the_log(WORD) == []
    assert str(Entry.objects.get(verb="forgot")).startswith("admin forgot conversation:")


def test_an_account_may_go_and_its_acts_stay(operator: User) -> None:
    entry = record(Act("approved", "proposal:7"), actor=operator, people=[5, 5, 9])
    operator.delete()
    assert str(entry) == str(Entry.objects.get()) == "operator approved proposal:7"
    assert sorted(entry.concerns.values_list("person_id", flat=True)) == [5, 9]
