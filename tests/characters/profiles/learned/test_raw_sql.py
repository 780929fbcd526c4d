"""Every statement by which somebody at the database could have a character learn what she can't."""

import pytest
from django.db import DatabaseError, connection, transaction

from characters.profiles.learned import services as learned
from characters.profiles.learned import triggers
from characters.profiles.models import LearnedFact, Predicate
from tests import stack
from tests.characters.profiles import sheets

pytestmark = [pytest.mark.django_db, pytest.mark.engine]
State = LearnedFact.State

FACT = """profiles_learnedfact
    (id, character_id, predicate_id, object, confidence, state, suspended_by, pinned, uses, learned_at, embedder)
    VALUES ({fact}, {character}, {father}, 'a pilot', 1.0, '{state}', '', false, 0, '2026-01-01 00:00:00+00', '')"""
PREDICATE = """profiles_predicate (id, name, family, many, learnable, sentence, question)
    VALUES ({coral}, '{name}', 'taste', true, {learnable}, '', '')"""

UNLEARNABLE = [
    f"INSERT INTO {FACT} ON CONFLICT (id) DO UPDATE SET predicate_id = excluded.predicate_id",
    f"INSERT INTO {FACT} ON CONFLICT (id) DO UPDATE SET object = excluded.object",
    "UPDATE profiles_learnedfact SET predicate_id = {father}",
    "UPDATE profiles_learnedfact SET predicate_id = {father}, state = 'taken back'",
]
UNLEARNABLE_BY_SQLITE = [
    f"INSERT OR REPLACE INTO {FACT}",
    "UPDATE OR REPLACE profiles_learnedfact SET predicate_id = {father}",
]
UNLEARNABLE_BY_POSTGRESQL = [
    "WITH changed AS (UPDATE profiles_learnedfact SET predicate_id = {father} RETURNING *) SELECT * FROM changed",
    """MERGE INTO profiles_learnedfact USING (SELECT 1) AS given ON true
        WHEN MATCHED THEN UPDATE SET predicate_id = {father}""",
]
STILL_LEARNED = [
    "UPDATE profiles_predicate SET learnable = false",
    "UPDATE profiles_predicate SET name = 'HAS_A_FATHER' WHERE id = {coral}",
    "UPDATE profiles_predicate SET id = id + 5000 WHERE id = {coral}",
    f"INSERT INTO {PREDICATE} ON CONFLICT (id) DO UPDATE SET learnable = excluded.learnable",
]
STILL_LEARNED_BY_SQLITE = [
    f"INSERT OR REPLACE INTO {PREDICATE}",
    "UPDATE OR REPLACE profiles_predicate SET id = {coral} WHERE id = {father}",
]
STILL_LEARNED_BY_POSTGRESQL = [
    "WITH changed AS (UPDATE profiles_predicate SET learnable = false RETURNING *) SELECT * FROM changed",
    """MERGE INTO profiles_predicate AS kept USING (SELECT 1) AS given ON kept.id = {coral}
        WHEN MATCHED THEN UPDATE SET learnable = false""",
]
REPLACE_BY_SQLITE = f"INSERT OR REPLACE INTO {PREDICATE}"
REPLACE_BY_POSTGRESQL = f"""INSERT INTO {PREDICATE} ON CONFLICT ({{key}})
    DO UPDATE SET id = excluded.id, name = excluded.name, learnable = excluded.learnable"""


@pytest.fixture
def fact(predicates: None) -> LearnedFact:
    ann = sheets.character("ann", ("HAS_FATHER", "Built boats"))
    with transaction.atomic():
        return learned.learn(ann, predicate="FAVORITE_CORAL", object="staghorn", confidence=0.95)


def executed(statement: str, fact: LearnedFact, /, **values: object) -> None:
    given = {
        "fact": fact.pk,
        "character": fact.character_id,
        "coral": fact.predicate_id,
        "father": Predicate.objects.get(name="HAS_FATHER").pk,
        "state": "active",
        "learnable": "false",
        "name": "FAVORITE_CORAL",
    } | values
    with connection.cursor() as cursor:
        cursor.execute(statement.format(**given))


def everything() -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    return list(LearnedFact.objects.values_list()), list(Predicate.objects.order_by("pk").values_list())


def assert_refused(statement: str, fact: LearnedFact, sentence: str, /, **values: object) -> None:
    before = everything()
    with pytest.raises(DatabaseError, match=sentence), transaction.atomic():
        executed(statement, fact, **values)
    assert everything() == before, statement


def test_a_new_row_of_what_cant_be_learned_is_refused_in_every_state(fact: LearnedFact) -> None:
    for state in ("active", "taken back"):
        assert_refused(f"INSERT INTO {FACT}", fact, triggers.SENTENCE, fact=fact.pk + 7, state=state)


def test_a_learned_fact_never_becomes_one_that_cant_be_learned(fact: LearnedFact) -> None:
    for statement in UNLEARNABLE + (UNLEARNABLE_BY_POSTGRESQL if stack.PRODUCTION else UNLEARNABLE_BY_SQLITE):
        assert_refused(statement, fact, triggers.SENTENCE)


def test_a_predicate_that_was_learned_stays_what_it_is(fact: LearnedFact) -> None:
    for statement in STILL_LEARNED + (STILL_LEARNED_BY_POSTGRESQL if stack.PRODUCTION else STILL_LEARNED_BY_SQLITE):
        assert_refused(statement, fact, triggers.STILL_LEARNED)


def test_a_predicate_that_was_learned_is_not_replaced_by_another(transactional_db: None, fact: LearnedFact) -> None:
    """SQLite compares foreign keys at the commit, so each of these is a transaction of its own."""
    replace = REPLACE_BY_POSTGRESQL if stack.PRODUCTION else REPLACE_BY_SQLITE
    refused_by_a_key = triggers.STILL_LEARNED if stack.PRODUCTION else "FOREIGN KEY"
    for name, learnable in (("HAS_A_FATHER", "true"), ("FAVORITE_CORAL", "false")):
        assert_refused(replace, fact, triggers.STILL_LEARNED, key="id", name=name, learnable=learnable)
        assert_refused(replace, fact, refused_by_a_key, key="name", coral=9999, learnable=learnable)


def test_other_changes_of_a_predicate_and_of_others_are_taken(fact: LearnedFact) -> None:
    executed("UPDATE profiles_predicate SET sentence = 'My coral: {{object}}' WHERE id = {coral}", fact)
    executed("UPDATE profiles_predicate SET learnable = false WHERE name = 'LOVES'", fact)
    executed("UPDATE profiles_learnedfact SET uses = 5", fact)
    assert Predicate.objects.get(pk=fact.predicate_id).sentence == "My coral: {object}"
    assert LearnedFact.objects.get().uses == 5


def test_what_was_taken_back_does_not_come_back_by_sql_once_its_predicate_cant_be_learned(fact: LearnedFact) -> None:
    learned.change(fact, State.TAKEN_BACK, by=None)
    executed("UPDATE profiles_predicate SET learnable = false WHERE id = {coral}", fact)
    assert_refused("UPDATE profiles_learnedfact SET state = 'active'", fact, triggers.SENTENCE)
