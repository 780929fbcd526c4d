"""Creating and publishing: one commit, a mark for the projector, and what is refused."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import DatabaseError, connections
from pytest_django import DjangoCaptureOnCommitCallbacks

from characters.profiles import services
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Revision
from kgadmin.accounts.models import User
from kgadmin.projection.tasks import sweep
from tests.characters.profiles.sheets import sheet

REFUSED: dict[str, Callable[[Character], object]] = {
    "identity: it is empty.": lambda ann: services.publish(ann, sheet=sheet(identity=""), by=None),
    "There is already a character 'ann'": lambda _: services.create_character(slug="ann", sheet=sheet(), by=None),
    "'Ann Holm' can't be used in": lambda _: services.create_character(slug="Ann Holm", sheet=sheet(), by=None),
    "name: it is empty.": lambda _: services.create_character(slug="bo", sheet=sheet(name=""), by=None),
}


def test_what_is_refused_changes_nothing(ann: Character) -> None:
    before = Character.objects.values().get()
    for message, attempt in REFUSED.items():
        with pytest.raises(SheetError) as caught:
            attempt(ann)
        assert caught.value.problems[0].startswith(message)
        assert (Character.objects.values().get(), Revision.objects.count()) == (before, 1), message


def test_a_publish_that_fails_at_the_flip_leaves_no_revision(ann: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(self: Character, revision: Revision) -> None:
        raise DatabaseError("The disk is full.")

    monkeypatch.setattr(Character, "go_live", torn)
    with pytest.raises(DatabaseError):
        services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    assert Revision.objects.count() == 1
    assert Character.objects.get().sheet == sheet()


def test_publishing_makes_the_next_revision_live_keeps_the_one_before_and_kicks_the_sweep_after_the_commit(
    ann: Character,
    author: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    first, kicked = ann.live_revision, list[str]()
    after = sheet(("LIKES", "fog"), name="Ann Berg")
    monkeypatch.setattr(sweep, "delay", lambda: kicked.append("swept"))
    with django_capture_on_commit_callbacks(execute=True):
        revision = services.publish(ann, sheet=after, by=author, note="Married")
        with pytest.raises(SheetError):
            services.publish(ann, sheet=sheet(name=""), by=None)
        assert kicked == []
    assert kicked == ["swept"]
    ann.refresh_from_db()
    assert (revision.number, revision.note, revision.created_by) == (2, "Married", author)
    assert (ann.live_revision, ann.name, ann.sheet) == (revision, "Ann Berg", after)
    assert first and Revision.objects.get(pk=first.pk).sheet == sheet()


@pytest.mark.engine
def test_publishes_at_the_same_moment_become_revisions_one_after_the_other(
    transactional_db: None, ann: Character
) -> None:
    together = Barrier(4)

    def publish(number: int) -> int:
        try:
            together.wait(10)
            character = Character.objects.get(pk=ann.pk)
            return services.publish(character, sheet=sheet(("LIKES", f"fog {number}")), by=None).number
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        numbers = list(threads.map(publish, range(4)))
    ann.refresh_from_db()
    assert sorted(numbers) == [2, 3, 4, 5]
    assert ann.live_revision == ann.revisions.get(number=5)
    assert ann.sheet == ann.revisions.get(number=5).sheet
