"""An import whose worker is killed, again and again: complete in the end, and nothing doubled."""

import pytest

from characters.conversations import import_job, imports
from characters.conversations.models import Conversation, ConversationImport, Message
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from tests.characters.conversations import dying_import
from tests.characters.conversations.export_files import jsonl, talk
from tests.characters.profiles import sheets
from tests.processes import die

TALKS = {"c1": 220, "c2": 90}


@pytest.fixture
def job(transactional_db: None, operator: User, reading_is_quiet: None) -> Job:
    documents = [each for name, count in TALKS.items() for each in talk(count, name)]
    import_ = imports.upload(name="ana.jsonl", content=jsonl(*documents), by=operator)
    person = import_job.real_person("Ana")
    return imports.start(import_=import_, character=sheets.character("elena"), person=person, by=operator)


@pytest.mark.parametrize(
    ("place", "passes"),
    [
        ("in the batch", (2,)),
        ("after a batch", (1,)),
        pytest.param("in the batch", (2, 1, 2), marks=pytest.mark.faults),
        pytest.param("after a batch", (2, 1, 2), marks=pytest.mark.faults),
    ],
)
def test_an_import_that_was_killed_is_complete_and_not_doubled(job: Job, place: str, passes: tuple[int, ...]) -> None:
    counts = [Message.objects.count()]
    for nth in passes:
        die(job, dying_import.main, place, nth)
        counts.append(Message.objects.count())
    assert counts == sorted(counts)
    assert counts[-1] < sum(TALKS.values())
    runner.run(job.pk)
    job.refresh_from_db()
    assert job.state == "done"
    assert_whole()


def assert_whole() -> None:
    assert Message.objects.count() == sum(TALKS.values())
    for conversation in Conversation.objects.all():
        texts = [message.text for message in conversation.path()]
        name = conversation.outside_id
        assert texts == [f"{name} says {place}" for place in range(TALKS[name])]
    places = set(Message.objects.values_list("place", flat=True))
    assert places == set(range(1, sum(TALKS.values()) + 1))
    import_ = ConversationImport.objects.get()
    assert import_.added == sum(TALKS.values())
    assert bytes(import_.content) == b""
