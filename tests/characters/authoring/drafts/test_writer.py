"""A draft has one writer: a browser tab, for a minute after its last save."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts import yaml_text
from characters.authoring.drafts.services import ConflictError, Edit
from characters.authoring.learned.services import promote
from characters.authoring.models import SuggestedFact
from characters.authoring.suggestions import services as suggestions
from characters.cards import imports
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Draft, LearnedFact, Predicate, Unsaved
from kgadmin.accounts.models import User
from kgadmin.rest.actions import Refused
from tests.characters.cards.examples import WORLD, as_json
from tests.characters.profiles import sheets

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Character:
    return sheets.character("ann")


def name(ann: Character, text: str, by: User, tab: str = "one", version: int | None = None) -> Draft:
    return drafts.save(ann, [Edit("name", text)], by=by, tab=tab, version=version)


def a_minute_passes(ann: Character) -> None:
    Draft.objects.filter(character=ann).update(written_at=timezone.now() - Draft.CLAIM)


def test_who_saved_last_writes_and_nobody_else_for_a_minute(ann: Character, author: User, operator: User) -> None:
    name(ann, "Anna", author)
    with pytest.raises(ConflictError, match=r"author is editing this draft elsewhere, last saved .* again after"):
        name(ann, "Anne", operator)
    with pytest.raises(ConflictError, match="You are editing this draft elsewhere"):
        name(ann, "Anne", author, "another")
    assert name(ann, "Anni", author, version=1).document["name"] == "Anni"  # whatever it saw: nobody else wrote since
    assert drafts.save(ann, [], by=operator).document["name"] == "Anni"  # nothing is asked for
    a_minute_passes(ann)
    assert drafts.draft_of(ann).written_until is None
    assert name(ann, "Anne", operator).document["name"] == "Anne"


def test_what_others_wrote_after_it_was_seen_is_not_written_over(ann: Character, author: User, operator: User) -> None:
    before = drafts.draft_of(ann).version
    name(ann, "Anna", author)
    with pytest.raises(SheetError):
        drafts.save_yaml(ann, "facts: [", by=author, tab="one")
    a_minute_passes(ann)
    for version in (before, before + 1):  # the text that can't be read is a change, too
        with pytest.raises(ConflictError, match="The draft has changed since you opened it"):
            name(ann, "Anne", operator, version=version)
    assert name(ann, "Anne", operator, version=before + 2).document["name"] == "Anne"


def test_whatever_writes_the_draft_waits_for_its_writer(ann: Character, author: User, operator: User) -> None:
    predicate = Predicate.objects.create(name="SAILS", family="taste", learnable=True)
    learned = LearnedFact.objects.create(character=ann, predicate=predicate, object="Often", confidence=1)
    suggestions.suggest(ann, "Ann hates eels.", source="description")
    suggested = SuggestedFact.objects.get()
    book = imports.upload(name="isles.json", content=as_json(WORLD), by=operator)
    name(ann, "Anna", author)
    before = drafts.draft_of(ann)
    first = ann.revisions.get()
    acts: list[tuple[type[Exception], Callable[[], Any]]] = [
        (ConflictError, lambda: drafts.save_yaml(ann, "facts: []", by=operator)),
        (ConflictError, lambda: drafts.save_yaml(ann, "facts: [", by=operator)),
        (ConflictError, lambda: drafts.drop_yaml(ann, by=operator)),
        (ConflictError, lambda: drafts.discard(ann, by=operator)),
        (ConflictError, lambda: drafts.publish_draft(ann, version=before.version, by=operator)),
        (ConflictError, lambda: drafts.revert(ann, first, by=operator)),
        (Refused, lambda: suggestions.accept(suggested, by=operator)),
        (Refused, lambda: promote(learned, by=operator)),
        (Refused, lambda: imports.take(book, by=operator, character=ann)),
    ]
    for number, (error, act) in enumerate(acts):
        with pytest.raises(error, match="author is editing this draft"):
            act()
        now = drafts.draft_of(ann)
        assert (now.document, now.yaml_typed, now.writer) == (before.document, "", author), number
    assert suggestions.accept(suggested, by=author, tab="one").startswith("Added")
    assert promote(learned, by=author, tab="one")
    assert imports.take(book, by=author, tab="one", character=ann) == ann


@pytest.mark.engine
@pytest.mark.django_db(transaction=True)
def test_of_tabs_that_save_first_at_the_same_moment_one_writes(ann: Character, author: User) -> None:
    drafts.draft_of(ann)

    def save(tab: str) -> str:
        try:
            return str(name(ann, tab, author, tab).document["name"])
        except ConflictError:
            return ""
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        saved = [tab for tab in threads.map(save, "abcd") if tab]
    assert saved == [drafts.draft_of(ann).document["name"]]


def test_what_was_changed_elsewhere_while_a_text_was_mended_is_kept(ann: Character, author: User) -> None:
    with pytest.raises(SheetError):
        drafts.save_yaml(ann, "facts: [", by=author)
    drafts.save(ann, [Edit("fact:f3", None)], by=author)
    changed = drafts.current_yaml(drafts.draft_of(ann))
    drafts.save_yaml(ann, "facts: []", by=author)
    assert Unsaved.objects.get().edits == [["yaml", changed]]
    drafts.save_yaml(ann, "facts: [fog]", by=author)
    assert Unsaved.objects.count() == 1


def test_what_was_not_saved_is_kept_once_where_the_draft_says_otherwise(ann: Character, author: User) -> None:
    draft = drafts.draft_of(ann)
    for typed in ([("name", draft.document["name"])], [("name", "Half a \ud800")]):
        drafts.keep_unsaved(draft, typed, by=author)
    for _ in range(2):
        drafts.keep_unsaved(draft, [("name", "Anna"), ("identity", draft.document["identity"])], by=author)
    row = Unsaved.objects.get()
    assert row.edits == [["name", "Anna"]]
    drafts.take_unsaved(row, by=author)
    assert (drafts.draft_of(ann).document["name"], Unsaved.objects.count()) == ("Anna", 0)


def test_comments_count_as_a_change_and_outlive_a_revert(ann: Character, author: User, operator: User) -> None:
    before = drafts.draft_of(ann).version
    text = f"# my notes\n{drafts.current_yaml(drafts.draft_of(ann))}"
    drafts.save_yaml(ann, text, by=author, tab="one", version=before)
    a_minute_passes(ann)
    with pytest.raises(ConflictError, match="changed since you opened it"):
        drafts.save_yaml(ann, text.replace("my notes", "other notes"), by=operator, tab="two", version=before)
    revision = ann.revisions.get(number=1)
    drafts.revert(ann, revision, by=author, tab="one")
    assert Unsaved.objects.get().edits == [["yaml", text]]


def test_a_program_that_names_an_old_version_writes_nothing(ann: Character, author: User) -> None:
    before = drafts.draft_of(ann).version
    name(ann, "Anna", author, tab="", version=before)
    with pytest.raises(ConflictError, match="changed since you opened it"):
        name(ann, "Anne", author, tab="", version=before)
    before = drafts.draft_of(ann).version
    with pytest.raises(SheetError):
        drafts.save_yaml(ann, "facts: [Rain", by=author, version=before)
    drafts.save_yaml(ann, "facts: [Rain]", by=author, version=before)  # mended, and tried again


def test_who_takes_over_writes_at_once_and_what_the_other_typed_with_an_error_is_kept_for_them(
    ann: Character, author: User, operator: User
) -> None:
    with pytest.raises(SheetError):
        drafts.save_yaml(ann, "facts: [Rain", by=author, tab="one")
    drafts.take_over(ann, by=operator, tab="two")
    with pytest.raises(ConflictError, match="operator is editing"):
        name(ann, "Anni", author)
    drafts.save_yaml(ann, yaml_text.write(drafts.draft_of(ann).document), by=operator, tab="two")
    assert [(row.user, row.edits) for row in Unsaved.objects.all()] == [(author, [["yaml", "facts: [Rain"]])]
