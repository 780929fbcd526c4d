"""Creating and publishing: one commit, a mark for the projector, and what is refused."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import DatabaseError, connection, connections

from characters.profiles import services
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Revision
from kgadmin.accounts.models import User
from kgadmin.projection.tasks import sweep
from tests.characters.profiles.sheets import sheet


def test_a_new_character_is_live_with_her_first_revision_and_marked(author: User) -> None:
    ann = services.create_character(slug="ann", sheet=sheet(), by=author)
    ann.refresh_from_db()
    assert ann.live_revision is not None
    assert (ann.live_revision.number, ann.live_revision.note, ann.live_revision.created_by) == (1, "Created", author)
    assert (ann.name, ann.owner, ann.sheet, ann.stale, ann.version) == ("Ann Holm", author, sheet(), True, 1)


def test_publishing_makes_the_next_revision_live_and_keeps_the_one_before(ann: Character, author: User) -> None:
    first = ann.live_revision
    ann.projected(ann.version)
    after = sheet(("LIKES", "fog"), name="Ann Berg")
    revision = services.publish(ann, sheet=after, by=author, note="Married")
    ann.refresh_from_db()
    assert (revision.number, revision.note, revision.created_by) == (2, "Married", author)
    assert (ann.live_revision, ann.name, ann.sheet, ann.stale, ann.version) == (revision, "Ann Berg", after, True, 2)
    assert first is not None
    assert Revision.objects.get(pk=first.pk).sheet == sheet()


def test_reverting_publishes_the_old_sheet_as_a_new_revision(ann: Character) -> None:
    first = ann.sheet
    assert first is not None
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    services.publish(ann, sheet=first, by=None)
    assert list(ann.revisions.values_list("number", flat=True)) == [3, 2, 1]
    assert ann.sheet == first


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        (lambda ann: services.publish(ann, sheet=sheet(identity=""), by=None), "identity: it is empty."),
        (lambda ann: services.publish(ann, sheet=sheet(), by=None, note="x" * 201), "The note has 201 characters"),
        (lambda _: services.create_character(slug="ann", sheet=sheet(), by=None), "There is a character 'ann' already"),
        (lambda _: services.create_character(slug="Ann Holm", sheet=sheet(), by=None), "'Ann Holm' can't stand in"),
        (lambda _: services.create_character(slug="", sheet=sheet(), by=None), "'' can't stand in an address."),
        (lambda _: services.create_character(slug="x" * 61, sheet=sheet(), by=None), f"'{'x' * 61}' can't stand in"),
        (lambda _: services.create_character(slug="bo", sheet=sheet(name=""), by=None), "name: it is empty."),
    ],
)
def test_what_is_refused_changes_nothing(ann: Character, attempt: Callable[[Character], object], said: str) -> None:
    before = Character.objects.values().get()
    with pytest.raises(SheetError, match=said[:20]) as caught:
        attempt(ann)
    assert caught.value.problems[0].startswith(said)
    assert Character.objects.values().get() == before
    assert Revision.objects.count() == 1


@pytest.mark.django_db
def test_a_publish_that_fails_at_the_flip_leaves_no_revision(ann: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(self: Character, revision: Revision) -> None:
        raise DatabaseError("The disk is full.")

    monkeypatch.setattr(Character, "go_live", torn)
    with pytest.raises(DatabaseError):
        services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    assert Revision.objects.count() == 1
    assert Character.objects.get().sheet == sheet()


def test_the_sweep_is_kicked_after_the_commit_only(
    transactional_db: None, ann: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    kicked: list[bool] = []
    monkeypatch.setattr(sweep, "delay", lambda: kicked.append(connection.in_atomic_block))
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    with pytest.raises(SheetError):
        services.publish(ann, sheet=sheet(name=""), by=None)
    assert kicked == [False]


def test_publishes_at_the_same_moment_become_revisions_one_after_the_other(
    transactional_db: None, ann: Character
) -> None:
    together = Barrier(4)

    def publish(number: int) -> int:
        try:
            together.wait(10)
            own = Character.objects.get(pk=ann.pk)
            return services.publish(own, sheet=sheet(("LIKES", f"fog {number}")), by=None).number
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        numbers = list(threads.map(publish, range(4)))
    ann.refresh_from_db()
    assert sorted(numbers) == [2, 3, 4, 5]
    assert ann.version == 5
    assert ann.live_revision == ann.revisions.get(number=5)
    assert ann.sheet == ann.revisions.get(number=5).sheet


def test_a_mark_is_cleared_for_the_version_that_was_read(ann: Character) -> None:
    ann.projected(ann.version)
    assert not Character.objects.stale().exists()


def test_a_mark_of_a_newer_version_stays(ann: Character) -> None:
    read = ann.version
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    ann.projected(read)
    assert Character.objects.stale().get() == ann


def test_writing_an_older_sheet_over_a_projected_one_sets_the_mark_again(ann: Character) -> None:
    read = ann.version
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    ann.projected(ann.version)
    ann.projected(read)
    assert Character.objects.stale().get() == ann
