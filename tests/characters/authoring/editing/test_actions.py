"""What is typed reaches the draft, part by part; what two authors change is shown to both."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.domain.sheet import Concept
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.embedded.servers import free_port
from tests.characters.authoring.editing.conftest import Post, fact_of
from tests.fixtures.talk import Lead
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db


def test_the_answer_names_what_the_draft_has_now_and_shows_what_publishing_would_do(
    ann: Character, post: Post, author: User
) -> None:
    answer = post("edit/save/", {"fact:f3/object": "Fog"}, by_itself=True)
    page = " ".join(answer.content.decode().split())
    assert "Draft saved now by author" in page
    assert "<del>Rain on a tin roof</del><ins>Fog</ins>" in page


def test_without_script_a_page_is_saved_whole_and_comes_back(ann: Character, post: Post) -> None:
    fields = {"next": "/characters/ann/edit/facts/?q=x"}
    for fact_id in ("f1", "f2", "f3", "f4"):
        fields |= {f"fact:{fact_id}/{name}": fact_of(ann, fact_id)[name] for name in ("predicate", "object")}
    answer = post("edit/save/", fields | {"fact:f2/object": "Sailed", "fact:f4/object": "I have seen no desert"})
    assert (answer.status_code, answer["Location"]) == (302, "/characters/ann/edit/facts/?q=x")
    assert [fact.object for fact in drafts.draft_of(ann).sheet.facts] == [
        "lighthouse keeper",
        "Sailed",
        "Rain on a tin roof",
        "I have seen no desert",
    ]


def test_a_form_leads_nowhere_else(ann: Character, post: Post) -> None:
    for to in ("https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)", ""):
        assert post("edit/save/", {"next": to})["Location"] == "/characters/ann/edit/", to


def test_each_kind_of_part_is_read_from_its_fields(ann: Character, post: Post) -> None:
    fact = {"id": "f3", "predicate": "GREW_UP_IN", "object": "a town", "questions": ["Where?", "When?"]}
    night: dict[str, Any] = {
        "name": "Late",
        "instructions": "Low.",
        "keywords": "moon\nowl",
        "has_bases": "yes",
        "bases": ["a", "b"],
    }
    night |= {"model": " gpt-x ", "temperature": "0,5", "top_p": "", "max_tokens": ""}
    late: dict[str, Any] = {"slug": "night", "name": "Late", "instructions": "Low.", "keywords": ["moon", "owl"]}
    late |= {"bases": ["a", "b"], "model": "gpt-x", "temperature": 0.5}
    cases: list[tuple[str, dict[str, Any], Any]] = [
        ("name", {"value": "Bo"}, "Bo"),
        ("anchors", {"value": "sea\nlight\n sea\nfog "}, ["sea", "light", "fog"]),
        ("fact:f3", {"predicate": "grew up in", "object": " a town ", "questions": "Where?\r\n\r\nWhen?"}, fact),
        ("persona:night", night, late),
        ("concept:career", {"predicates": "is_a, works at"}, {"name": "career", "predicates": ["IS_A", "WORKS", "AT"]}),
    ]
    for part, fields, value in cases:
        form = {f"{part}/{name}": each for name, each in fields.items()}
        answer = post("edit/save/", form, by_itself=True)
        assert answer.status_code == 200, part
        assert parts.get(drafts.draft_of(ann).document, part) == value, part


def test_settings_are_read_from_their_fields(ann: Character, post: Post, author_client: Client) -> None:
    page = "/characters/ann/edit/settings/"
    assert "Propose what Ann Holm says about themself" in author_client.get(page).content.decode()
    fields = {
        "has_stages": "yes",
        "stages": ["probe", "background"],
        "depth": "2",
        "threshold": "0,6",
        "family.work": "2",
        "family.home": "1",
        "questions": "Who are you?\n",
        "has_learning": "yes",
        "learning": "on",
        "most_learned": "7",
        "pronouns": "she",
    }
    post("edit/save/", {f"settings/{name}": each for name, each in fields.items()}, by_itself=True)
    settings = drafts.draft_of(ann).sheet.settings
    assert "documents" in settings.stages_off
    assert "background" not in settings.stages_off
    assert (settings.ambient.depth, settings.ambient.threshold) == (2, 0.6)
    assert settings.ambient.families == {"work": 2.0}
    assert (settings.questions, settings.learning, settings.most_learned) == (("Who are you?",), "propose", 7)
    assert "Propose what Ann Holm says about herself" in author_client.get(page).content.decode()
    post("edit/save/", {"settings/has_learning": "yes", "settings/most_learned": "7"}, by_itself=True)
    assert drafts.draft_of(ann).sheet.settings.learning == "off"


def test_there_is_one_default_persona_and_choosing_it_changes_no_other_part(ann: Character, post: Post) -> None:
    post("edit/save/", {"default persona/value": "night"})
    for slug in ("day", "night"):
        assert post("edit/save/", {f"persona:{slug}/name": "Renamed"}, by_itself=True).status_code == 200
    assert [persona.slug for persona in drafts.draft_of(ann).sheet.personas if persona.default] == ["night"]


def test_what_does_not_fit_is_refused_with_a_sentence_and_nothing_is_saved(ann: Character, post: Post) -> None:
    before = drafts.draft_of(ann).version
    cases: list[tuple[dict[str, str], str]] = [
        ({"settings/depth": "many"}, "depth: &#x27;many&#x27; isn&#x27;t a whole number."),
        ({"persona:day/max_tokens": "1.5"}, "max tokens: &#x27;1.5&#x27; isn&#x27;t a whole number."),
        ({"settings/threshold": "nan"}, "an infinite number"),
        ({"settings/pronouns": "one"}, "settings.pronouns"),
        ({"weather/value": "fog"}, "&#x27;weather&#x27; isn&#x27;t part of a sheet."),
        ({"fact:/object": "fog"}, "isn&#x27;t part of a sheet."),
        ({"default persona/value": "noon"}, "There is no persona"),
    ]
    for fields, message in cases:
        for by_itself in (True, False):
            answer = post("edit/save/", fields, by_itself=by_itself)
            assert answer.status_code == 422, fields
            assert message in answer.content.decode(), fields
    assert drafts.draft_of(ann).version == before


def test_a_concept_that_publishing_would_make_is_shown_and_taken_over_to_change_it(
    ann: Character, post: Post, author_client: Client
) -> None:
    page = author_client.get("/characters/ann/edit/themes/").content.decode()
    assert "Change family" in page
    post("edit/entries/", {"add": "concept", "name": "family"})
    assert drafts.draft_of(ann).sheet.concepts[-1] == Concept("family", ("HAS_FATHER",))
    assert "Change family" not in author_client.get("/characters/ann/edit/themes/").content.decode()


def test_personas_and_concepts_are_added_and_removed(ann: Character, post: Post, author_client: Client) -> None:
    for name in ("At  sea", "Учитель", "Друг"):
        post("edit/entries/", {"add": "persona", "name": name})
    post("edit/entries/", {"add": "concept", "name": "Weather"})
    post("edit/entries/", {"remove": "persona:day"})
    post("edit/entries/", {"add": "persona", "name": "Night"})
    assert "There already is one" in author_client.get("/characters/ann/edit/personas/").content.decode()
    sheet = drafts.draft_of(ann).sheet
    assert [(persona.slug, persona.name) for persona in sheet.personas] == [
        ("night", "By night"),
        ("at_sea", "At sea"),
        ("persona_1", "Учитель"),
        ("persona_2", "Друг"),
    ]
    assert [concept.name for concept in sheet.concepts] == ["career", "weather"]


def test_the_models_that_the_endpoint_lists_are_offered_and_one_that_is_down_is_said(
    ann: Character, author_client: Client, scripted_model: ScriptedModel, wire: Lead
) -> None:
    page = "/characters/ann/edit/personas/"
    scripted_model.lists("gpt-x", "scripted")
    wire(scripted_model)
    shown = author_client.get(page).content.decode()
    assert '<option value="gpt-x"></option>' in shown
    assert 'placeholder="scripted"' in shown
    wire(llm_base_url=f"http://127.0.0.1:{free_port()}/v1", llm_model="scripted")
    shown = author_client.get(page).content.decode()
    assert ("<datalist" in shown, "The endpoint doesn’t answer" in shown) == (False, True)


def test_the_preview_is_sanitised(ann: Character, post: Post) -> None:
    page = post("edit/preview/", {"identity/value": "**Hi** <script>x</script> ![](http://x/)"}).content.decode()
    assert ("<strong>Hi</strong>" in page, "<script" in page, "<img" in page) == (True, False, False)


class Fields(HTMLParser):
    """What a browser would send of the fields that belong to parts of a sheet."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, list[str]] = {}
        self._area = self._select = ""

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
