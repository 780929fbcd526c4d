"""The pages of characters: what they show, and what is missing."""

from django.template import Context, Template
from django.test import Client

from characters.domain.sheet import Persona
from characters.profiles import services
from characters.profiles.models import Character
from kgadmin.projection.models import Change
from tests.characters.profiles import sheets
from tests.characters.profiles.sheets import sheet
from tests.pages import text_of


def test_the_list_shows_who_they_are_and_whether_the_graph_follows(
    author_client: Client, tester_client: Client, ann: Character
) -> None:
    text = text_of(author_client, "/characters/")
    assert 'href="/characters/ann/"' in text
    assert "I am a lighthouse keeper." in text
    assert "Revision 1" in text
    assert "Waiting to be written" in text
    Change.objects.all().delete()
    assert "Up to date" in text_of(author_client, "/characters/")
    talk = ["Talk to Ann" in text_of(client, "/characters/ann/") for client in (tester_client, author_client)]
    assert talk == [True, False]


def test_a_sheet_shows_its_parts_and_the_facts_as_they_are_said_by_family(
    author_client: Client, predicates: None
) -> None:
    services.create_character(slug="ann", sheet=sheets.whole_sheet(), by=None)
    answer = author_client.get("/characters/ann/")
    rows = {family: [row.sentence for row in rows] for family, rows in answer.context["families"].items()}
    assert rows == {
        "work": ["I am a lighthouse keeper."],
        "family": ["My father built boats in Odense."],
        "taste": ["I like rain on a tin roof."],
        "other": ["I have never seen a desert."],
    }
    text = text_of(author_client, "/characters/ann/")
    assert all(sentence in text for sentences in rows.values() for sentence in sentences)
    assert "Asks 7. With temperature 0.0, top_p 0.9, max_tokens 300." in text
    for words in ("You are {{char}}", "Used for sea_notes. Keywords: ship, fog.", "By day", "weather", "Career"):
        assert words in text


def test_an_older_revision_shows_what_it_held_and_leads_to_the_live_one(author_client: Client, ann: Character) -> None:
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None, note="Less rain")
    live, old = (text_of(author_client, f"/characters/ann/{path}") for path in ("", "revisions/1/"))
    assert "I like fog." in live
    assert "rain on a tin roof" not in live
    assert "Live, revision 2" in live
    assert "Less rain" in live
    assert "I like rain on a tin roof." in old
    assert "Revision 1, not live" in old
    assert "This is an older revision." in old


def test_words_of_a_sheet_are_shown_as_they_are_never_as_markup(author_client: Client, predicates: None) -> None:
    evil = "<script>alert(1)</script>{{ user }}{% now %}"
    parts = {"personas": (Persona("a", evil, evil, (), (evil,)),), "anchors": (evil,)}
    written = sheet(("LIKES", evil), name=evil, identity=evil, **parts)
    eve = services.create_character(slug="eve", sheet=written, by=None)
    old = eve.revisions.get()  # from before slugs were checked
    old.document["personas"][0]["bases"] = [evil]
    old.save()
    for path in ("/characters/", "/characters/eve/"):
        text = text_of(author_client, path)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;{{ user }}{% now %}" in text
        assert "<script>alert" not in text


BOX = '<span class="hidden-character" title="U+200B zero width space">U+200B</span>'


def rendered(text: str, filters: str = "shown") -> str:
    return Template(f"{{% load unseen %}}{{{{ text|{filters} }}}}").render(Context({"text": text}))


def test_hidden_characters_are_named_counted_in_a_long_run_and_the_rest_is_escaped_once() -> None:
    assert rendered("R&B\u200b <b>") == f"R&amp;B{BOX} &lt;b&gt;"
    assert rendered("a\n\nb\u200b", "shown|linebreaks") == f"<p>a</p>\n\n<p>b{BOX}</p>"
    text = rendered("a" + "\u200b" * 1000)
    assert (text.count("U+200B zero"), "and 994 more</span>" in text) == (6, True)
    assert (rendered("a", "hides"), rendered("a\u2060", "hides")) == ("False", "True")
