"""What a page of the editor shows is what the draft says: all its fields, saved as they came, change nothing."""

from html.parser import HTMLParser
from typing import Any

from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.profiles.models import Character
from tests.characters.authoring.editing.conftest import Post


class Fields(HTMLParser):
    """What a browser would send of the fields that belong to parts of a sheet."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, list[str]] = {}
        self._area = self._select = ""
        self._first = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        field: dict[str, Any] = dict(attrs)
        name = field.get("name") or ""
        if tag == "textarea":
            self._area = name
            self._add(name, "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in field:
            self._add(self._select, field["value"])
        elif tag == "input" and (field.get("type") not in {"checkbox", "radio"} or "checked" in field):
            self._add(name, field.get("value", "on") or "")

    def handle_data(self, data: str) -> None:
        if self._area in self.sent:
            before = self.sent[self._area][-1]
            self.sent[self._area][-1] = before + (data.removeprefix("\n") if not before else data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""

    def _add(self, name: str, value: str) -> None:
        if "/" in name:
            self.sent.setdefault(name, []).append(value)


def test_saving_a_page_as_it_came_changes_nothing(ann: Character, post: Post, author_client: Client) -> None:
    before = drafts.draft_of(ann)
    for page in ("", "facts/", "personas/", "themes/", "prompt/", "settings/"):
        fields = Fields()
        shown = author_client.get(f"/characters/ann/edit/{page}").content.decode()
        assert "Nothing to publish" in shown, page
        fields.feed(shown)
        sent = {name: values for name, values in fields.sent.items() if not name.endswith("/was")}
        assert len(sent) >= 2, page
        assert post("edit/save/", sent, by_itself=True).status_code == 200, page
        after = drafts.draft_of(ann)
        assert (after.document, after.version) == (before.document, before.version), page
