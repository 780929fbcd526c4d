"""What a card brings stands in the prompt: system prompt, examples, lore, instructions after the history."""

from dataclasses import replace
from typing import Any

from characters.domain.sheet import LoreEntry
from characters.turn.prompt import Prompt
from characters.turn.request import Base, Budgets, HistoryMessage
from tests.characters.turn.test_prompt import built, passage, section, system
from tests.characters.turn.world import OSKAR, count, request

FOG = LoreEntry("l1", "{{char}} says fog comes at four, {{user}}.", keys=("fog",))


def prompt(message: str = "Is there fog?", *, budgets: Budgets | None = None, **fields: Any) -> Prompt:
    history = (HistoryMessage("user", "Hello"), HistoryMessage("assistant", "Evening."))
    return built(request(message, sheet=replace(OSKAR, **fields), history=history, budgets=budgets or Budgets()))


def names(made: Prompt) -> list[str]:
    return [each.name for each in made.sections]


def test_they_stand_in_their_order() -> None:
    made = prompt(
        system_prompt="Be {{Char}}. {{original}}",
        post_history_instructions="{{Original}}\nStay with {{user}}.",
        example_messages="<START>\n{{user}}: Hi\n{{char}}: Lo",
        lore=(FOG,),
        nickname="Ossi",
    )
    assert names(made) == ["identity", "persona", "examples", "lore", "history", "message", "instructions"]
    assert system(made).startswith("Be Ossi.")
    assert "Hi\nOssi: Lo" in section(made, "examples").text
    assert "Ossi says fog comes at four" in section(made, "lore").text
    assert [(each.role, each.content[:9]) for each in made.messages[-2:]] == [
        ("user", "Is there "),
        ("system", "Stay with"),
    ]
    assert made.tokens == sum(each.tokens for each in made.sections)
    assert names(prompt()) == ["identity", "persona", "history", "message"], "a character without a card has none"


def test_examples_are_parted_by_start_however_it_is_written() -> None:
    for start in ("<START>\n", "<START>\r\n", "<start> ", "<START>"):
        long = f"{start}{{{{char}}}}: {'long ' * 400}\n"
        shown = section(prompt(example_messages=f"{start}{{{{user}}}}: Hi\n{long}{start}{{{{char}}}}: Lo"), "examples")
        assert shown.text.count("---") == 3, start
        assert ("long" in shown.text, shown.note) == (False, "1 example conversation over the budget left out"), start


def test_of_a_single_example_that_is_too_long_the_first_messages_are_told() -> None:
    quoted = "\n".join(f"{{{{user}}}}: Question {number}?\n{{{{char}}}}: Answer {number}." for number in range(200))
    made = prompt(example_messages=f"<START>\n{quoted}\n<START>\n{quoted}", budgets=Budgets(examples=100))
    shown = section(made, "examples")
    assert "Question 0?\nOskar Lind: Answer 0." in shown.text
    assert "Question 199" not in shown.text
    assert shown.note == (
        "the first example conversation is shortened to fit; 1 example conversation over the budget left out"
    )
    assert shown.tokens <= 100


def test_a_passage_of_a_lorebook_says_who_is_meant_and_another_base_is_quoted() -> None:
    base = Base("harbour", "curated", 0.4, 1, "c", is_lore=True)
    asked = request("Is there fog?", sheet=OSKAR, person="Bo >>>", bases=(base,))
    quoted = (passage("{{user}} knows {{char}}.", heading="For {{user}}"),)
    text = section(built(asked, passages=quoted), "primary").text
    assert ("Bo > > > knows Oskar Lind." in text, "“For Bo > > >”" in text) == (True, True)
    assert "{{user}} knows" in section(built(replace(asked, bases=()), passages=quoted), "primary").text


def test_where_lore_has_no_room_the_least_important_goes_first() -> None:
    words = " ".join(["word"] * 30)
    entries = (
        LoreEntry("a", f"A {words}", keys=("fog",), order=1),
        LoreEntry("b", f"B {words}", keys=("fog",), order=2),
        LoreEntry("c", f"C {words}", constant=True, order=3),
    )
    made = prompt(lore=entries, budgets=Budgets(lore=count(f"A {words}") * 2 + 8))
    text = section(made, "lore").text
    assert ("A word" in text, text.index("B word") < text.index("C word")) == (False, True)
    assert section(made, "lore").note == "1 entry over the budget left out"
    assert [(each.id, each.why, each.shown) for each in made.lore] == [
        ("a", "“fog” was said", False),
        ("b", "“fog” was said", True),
        ("c", "always told", True),
    ]


def test_a_passage_that_says_what_the_lore_says_is_left_out() -> None:
    asked = request("Is there fog?", sheet=replace(OSKAR, lore=(LoreEntry("l1", "Fog comes at four.", keys=("fog",)),)))
    made = built(asked, passages=(passage("# Fog\n\nFog comes at four."), passage("Ships wait for it.")))
    shown = section(made, "primary")
    assert ("Ships wait" in shown.text, "comes at four" in shown.text) == (True, False)
    assert shown.note == "1 passage left out: already in the lore"
    assert section(built(asked, passages=(passage("Fog comes at four."),)), "primary").text == ""


def test_the_entries_of_a_lorebook_keep_to_its_own_budget() -> None:
    def entry(id: str, priority: float, budget: int) -> LoreEntry:
        return LoreEntry(id, f"{id} {'word ' * 50}", keys=("fog",), priority=priority, token_budget=budget)

    room = count(f"b1-1 {'word ' * 50}") * 2
    lore = (
        entry("b1-1", 1, room),
        entry("b1-2", 2, room),
        entry("b1-3", 3, room),
        entry("b2-1", 0, 0),
        entry("l1", 0, 0),
    )
    made = prompt(lore=lore)
    text = section(made, "lore").text
    assert [each.id for each in lore if each.id in text] == ["b1-2", "b1-3", "b2-1", "l1"]
    assert section(made, "lore").note == "1 entry over the budget left out"
    small = tuple(replace(each, token_budget=1) for each in lore[:3])
    assert "b1-" not in section(prompt(lore=(*small, *lore[3:])), "lore").text
