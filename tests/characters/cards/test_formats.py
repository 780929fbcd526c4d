"""Cards in every form and version: what came in comes out, what changed here is in it, the specifications are kept."""

import base64
import json
from dataclasses import replace
from itertools import product
from typing import Any

from pydantic import BaseModel

from characters.cards import plan, png
from characters.cards.card import KEYWORDS, Card
from characters.cards.exports import FORMATS
from characters.cards.merge import Origin
from characters.domain.sheet import Fact, LoreEntry
from characters.profiles import folder
from kgadmin.operations.demo.loader import character_folders
from kgadmin.rest import archives
from tests.characters.cards import spec
from tests.characters.cards.examples import (
    BOOK,
    DATA,
    REGISTRY,
    V1,
    V2,
    V3,
    as_charx,
    as_json,
    as_picture,
    card_in,
    exported,
    origin_of,
    sent_out,
    with_data,
)
from tests.characters.profiles.sheets import whole_sheet

FILES = {
    "card-v1.json": as_json(V1),
    "card-v2.json": as_json(V2),
    "card-v3.json": as_json(V3),
    "card.png": as_picture(chara=V2, ccv3=V3),
    "card.charx": as_charx(V3, **{"module.risum": b"\0\1"}),
}
"""By the form that each is in."""
MODELS: dict[str, type[BaseModel]] = {
    "card-v1.json": spec.CardV1,
    "card-v2.json": spec.CardV2,
    "card-v3.json": spec.CardV3,
    "card.png": spec.CardV3,
    "card.charx": spec.CardV3,
}


def test_every_version_and_form_is_read_whole() -> None:
    for version, card, nickname in ((1, V1, ""), (2, V2, ""), (3, V3, "Annie")):
        made = card_in(b"\xef\xbb\xbf" + as_json(card))
        assert (made.raw, made.version, made.form) == (card, version, "json")
        assert (made.text("name"), made.text("nickname")) == ("Ann Holm", nickname)
    both = as_picture(chara=V2, ccv3=V3)  # the newer card counts
    assert card_in(both) == Card(V3, 3, "png", picture=both)
    assert card_in(as_picture(chara=V2)).version == 2
    content = archives.write({"card.json": as_json(V3), "assets/icon/main.png": b"\x89PNG"})
    assert card_in(content) == Card(V3, 3, "charx", {"assets/icon/main.png": b"\x89PNG"})


def test_what_nobody_changed_comes_out_as_it_came_in() -> None:
    for form, content in FILES.items():
        came, went = card_in(content), exported(form, content)
        assert (went.raw, went.version, went.files) == (came.raw, came.version, came.files), form
    assert png.texts(sent_out("card.png", FILES["card.png"]), KEYWORDS).keys() == {"chara", "ccv3"}


def test_every_form_holds_all_that_was_in_another_and_is_as_its_specification_wants_it() -> None:
    for (source, content), form in product(FILES.items(), FILES):
        came, went = card_in(content), exported(form, content)
        MODELS[form].model_validate(went.raw)
        if "card-v1.json" in (source, form) or (source, form) == ("card.png", "card-v2.json"):
            continue  # too small for all; and the picture has a card of version 2 of its own, see below
        stored = {name: went.data[name] for name in came.data if name != "assets"}
        assert stored == {name: value for name, value in came.data.items() if name != "assets"}, (source, form)
        assert plan.of_card(went).sheet == plan.of_card(came).sheet, (source, form)


def test_of_a_picture_with_two_cards_each_stays_what_it_was() -> None:
    origin = origin_of(FILES["card.png"])
    assert exported("card-v2.json", FILES["card.png"]).raw == V2
    changed = replace(origin.taken, name="Ann H.")
    texts = png.texts(FORMATS["card.png"].write(changed, origin, {}), KEYWORDS)
    two, three = (json.loads(base64.b64decode(texts[keyword])) for keyword in ("chara", "ccv3"))
    assert two == V2 | {"data": DATA | {"name": "Ann H."}}
    assert three == V3 | {"data": V3["data"] | {"name": "Ann H."}}


def test_a_character_that_was_no_card_is_exported_as_one() -> None:
    for sheet in (whole_sheet(), *(folder.read_folder(path).sheet for path in character_folders())):
        for form, model in MODELS.items():
            made = card_in(FORMATS[form].write(sheet, None, REGISTRY))
            model.model_validate(made.raw)
            if form != "card-v1.json":
                again = plan.of_card(made).sheet
                assert replace(again, lore=()) == replace(sheet, lore=()), (sheet.name, form)
                ids = [replace(entry, id="") for entry in again.lore]
                assert ids == [replace(entry, id="") for entry in sheet.lore], (sheet.name, form)


def test_what_was_changed_here_is_merged_into_the_original() -> None:
    changes: dict[str, Any] = {"name": "Ann H.", "greetings": ("Come up.",), "post_history_instructions": "Now."}
    merged = {"name": "Ann H.", "first_mes": "Come up.", "alternate_greetings": [], "post_history_instructions": "Now."}
    for form, content in FILES.items():
        came, data = card_in(content), exported(form, content, replace(origin_of(content).taken, **changes)).data
        assert data == came.data | merged, form


def test_an_identity_that_was_changed_goes_back_to_its_parts() -> None:
    origin = origin_of(FILES["card-v3.json"])
    identity = origin.taken.identity.replace("quiet, exact", "loud").replace("keeps", "left")
    data = exported("card-v3.json", FILES["card-v3.json"], replace(origin.taken, identity=identity)).data
    assert (data["description"], data["personality"]) == (DATA["description"].replace("keeps", "left"), "loud")
    assert data["scenario"] == DATA["scenario"]


def test_changed_new_and_deleted_entries_leave_the_others_alone() -> None:
    origin = origin_of(FILES["card-v2.json"])
    fog, _, harbour = origin.taken.lore
    new = LoreEntry("l9", "Gulls steal.", keys=("gull",), order=2, scan_depth=9)
    sheet = replace(origin.taken, lore=(replace(fog, keys=("fog",), priority=None, scan_depth=7), harbour, new))
    book = exported("card-v2.json", FILES["card-v2.json"], sheet).data["character_book"]
    first, third, added = book["entries"]
    assert first == {name: value for name, value in BOOK["entries"][0].items() if name != "priority"} | {
        "keys": ["fog"],
        "extensions": {"x": 1, "kgadmin": {"scan_depth": 7}},
    }
    assert third == BOOK["entries"][2]
    assert (added["keys"], added["insertion_order"], added["enabled"]) == (["gull"], 2, True)
    assert {name: book[name] for name in ("name", "token_budget", "extensions")} == {
        name: BOOK[name] for name in ("name", "token_budget", "extensions")
    }
    spec.BookV2.model_validate(book)


def test_facts_are_told_to_other_programs_and_come_back_here() -> None:
    origin = origin_of(FILES["card.png"])
    sheet = replace(
        origin.taken, facts=(Fact("f1", "IS_A", "lighthouse keeper", ("What are you?",)),), anchors=("sea",)
    )
    made = exported("card.png", FILES["card.png"], sheet)
    assert made.data["description"] == f"{DATA['description']}\n\n## Facts\n\n- I am a lighthouse keeper."
    assert made.data["extensions"].items() >= DATA["extensions"].items()
    assert plan.of_card(made).sheet == sheet


def test_files_of_a_card_go_along() -> None:
    charx = FILES["card.charx"]
    in_picture = sent_out("card.png", charx)
    assert card_in(in_picture).data["assets"][0]["uri"] == "__asset:assets/icon/images/ann.png"
    back = exported("card.charx", in_picture)
    assert back.data["assets"] == V3["data"]["assets"]
    assert back.files.keys() == {"assets/icon/images/ann.png", "module.risum"}
    inline = exported("card-v3.json", charx).data["assets"][0]["uri"]
    assert inline.startswith("data:image/png;base64,")


def test_the_picture_of_a_card_is_its_main_icon_elsewhere() -> None:
    plain = V3 | {"data": {name: value for name, value in V3["data"].items() if name != "assets"}}
    made = exported("card.charx", as_picture(ccv3=plain))
    (path,) = made.files
    assert made.data["assets"] == [{"type": "icon", "uri": f"embeded://{path}", "name": "main", "ext": "png"}]
    assert png.texts(made.files[path], KEYWORDS) == {}
    assert png.is_complete(made.files[path])


def test_a_card_that_was_written_carelessly_becomes_whole() -> None:
    sloppy: dict[str, Any] = {"name": "Ann", "description": "x", "character_book": {"entries": [{"content": "y"}]}}
    raw = exported("card-v2.json", as_json({"spec": "chara_card_v2", "data": sloppy | {"tags": None}})).raw
    spec.CardV2.model_validate(raw)
    assert raw["data"]["character_book"]["entries"][0]["content"] == "y"


TEA = (Fact("f1", "IS_A", "tea drinker"), Fact("f2", "NOTE", "I like tea."))


def described(change: Any) -> tuple[str, bool]:
    """The identity of a card with two facts in whose description another program changed something; if that is said."""
    card = with_data(personality="", scenario="")
    made = exported("card-v2.json", card, replace(origin_of(card).taken, facts=TEA)).raw
    made["data"]["description"] = change(made["data"]["description"])
    planned = plan.of_card(card_in(as_json(made)))
    assert planned.sheet.facts == TEA
    return planned.sheet.identity, any("Another program changed" in note for note in planned.notes)


def test_what_another_program_writes_around_our_facts_stays() -> None:
    mine = DATA["description"]
    assert described(lambda text: text) == (mine, False)
    assert described(lambda text: f"{text}\n\nShe limps.") == (f"{mine}\n\nShe limps.", False)
    assert described(lambda text: "Something else.") == ("Something else.", False)
    assert described(lambda text: text.replace("like tea", "like coffee")) == (
        f"{mine}\n\n## Facts\n\n- I am a tea drinker.\n- I like coffee.",
        True,
    )


PROSE = (
    ("A.\n\n## Scenario\n\nB.\n\n## Personality\n\nC.", "", ""),
    ("A.\n\n## Personality\n\nB.", "quiet", ""),
    ("  A.\n\n## Personality\n\n\n## Scenario\nB.\n", "", "Night."),
    ("## Facts\n\n- mine", "\nquiet  ", "Night.\n\n## Personality\n\nstill night"),
    ("You are {{char}}.", "", ""),
    ("", "quiet", "Night."),
)


def test_prose_stays_as_it_is_when_facts_come_and_go_and_comes_back_where_it_was_changed() -> None:
    for parts in PROSE:
        fields = dict(zip(("description", "personality", "scenario"), parts, strict=True))
        card = with_data(**fields)
        taken = origin_of(card).taken
        made = exported("card-v2.json", card, replace(taken, facts=TEA))
        facts = made.data["description"].removeprefix(parts[0]).strip()
        assert facts == "## Facts\n\n- I am a tea drinker.\n- I like tea.", parts
        assert (made.data["personality"], made.data["scenario"]) == parts[1:]
        assert plan.of_card(made).sheet == replace(taken, facts=TEA), parts
        again = Origin(made, replace(taken, facts=TEA))
        back = card_in(FORMATS["card-v2.json"].write(taken, again, REGISTRY)).data
        assert {name: back[name] for name in fields} == fields
        for identity in (f"{taken.identity} More.", f"First. {taken.identity}", "All new.\n\n## Scenario\n\nx"):
            changed = replace(taken, identity=identity)
            assert plan.of_card(exported("card-v2.json", card, changed)).sheet == changed
            new = card_in(FORMATS["card-v2.json"].write(changed, None, {}))
            assert plan.of_card(new).sheet.identity == identity
