"""What an entry says, and what is emptied of it where a person is forgotten."""

import pytest

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


def test_an_entry_says_who_did_what_to_what_and_why(operator: User) -> None:
    entry = record(ACT, actor=operator, batch=new_batch(), people=[5, 5, 9])
    assert str(entry) == "operator approved proposal:7"
    assert entry.detail.after == {"state": "approved", "object": "staghorn"}
    assert sorted(entry.concerns.values_list("person_id", flat=True)) == [5, 9]
    assert str(record(ACT, actor=None)) == "kgadmin approved proposal:7"


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
