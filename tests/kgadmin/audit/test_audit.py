"""The log takes what is recorded and lets nothing be changed or deleted, by raw SQL either."""

import pytest
from django.db import DatabaseError, connection, transaction

from kgadmin.accounts.models import User
from kgadmin.audit.models import Detail, Entry
from kgadmin.audit.services import Act, new_batch, record, redact

pytestmark = pytest.mark.django_db

ACT = Act(
    verb="approved",
    subject="proposal:7",
    character="character:3",
    before={"state": "open"},
    after={"state": "approved", "object": "staghorn"},
    note="said to two people",
)


def refused(statement: str) -> bool:
    """Whether the database refuses a statement with the log's own sentence."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        return "The audit log is append-only." in str(error)
    return False


def test_an_entry_says_who_did_what_to_what_and_why(operator: User) -> None:
    entry = record(ACT, actor=operator, batch=new_batch(), people=[5, 5, 9])
    assert str(entry) == "operator approved proposal:7"
    assert entry.detail.after == {"state": "approved", "object": "staghorn"}
    assert sorted(entry.concerns.values_list("person_id", flat=True)) == [5, 9]


def test_what_the_program_did_by_itself_has_no_actor() -> None:
    assert str(record(ACT, actor=None)) == "kgadmin approved proposal:7"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entry SET actor = 'somebody'",
        "DELETE FROM audit_entry",
        "UPDATE audit_concern SET person_id = 1",
        "DELETE FROM audit_concern",
        "UPDATE audit_detail SET note = 'another'",
        "UPDATE audit_detail SET redacted_at = '2026-01-01 00:00:00'",
        "DELETE FROM audit_detail",
    ],
)
def test_the_database_refuses_to_change_or_delete(statement: str) -> None:
    record(ACT, actor=None, people=[5])
    assert refused(statement)
    assert Entry.objects.get().detail.note == ACT.note


def test_an_account_may_go_and_its_acts_stay(operator: User) -> None:
    record(ACT, actor=operator)
    operator.delete()
    assert Entry.objects.get().actor == "operator"


def test_what_a_forgotten_person_wrote_is_emptied_and_the_entry_stays() -> None:
    theirs, another = record(ACT, actor=None, people=[5]), record(ACT, actor=None, people=[9])
    assert redact(5) == 1
    assert redact(5) == 0
    emptied = Detail.objects.get(entry=theirs)
    assert (emptied.before, emptied.after, emptied.note) == ({}, {}, "")
    assert emptied.redacted_at
    assert Detail.objects.get(entry=another).note == ACT.note
    assert refused("UPDATE audit_detail SET note = 'again' WHERE redacted_at IS NOT NULL")


@pytest.mark.django_db(transaction=True)
def test_what_is_committed_is_refused_too() -> None:
    record(ACT, actor=None)
    assert refused("DELETE FROM audit_detail")
