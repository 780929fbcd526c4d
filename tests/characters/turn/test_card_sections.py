"""What a card brings stands in the prompt: system prompt, examples, lore, instructions after the history."""

from dataclasses import replace
from typing import Any

from characters.turn.prompt import Prompt
from characters.turn.request import Budgets, Said
from characters.turn.sheet import LoreEntry
from tests.characters.turn.test_prompt import built, passage, section, system
from tests.characters.turn.world import OSKAR, count, request

FOG = LoreEntry("l1", "{{char}} says fog comes at four, {{user}}.", keys=("fog",))


def prompt(message: str = "Is there fog?", *, budgets: Budgets | None = None, **fields: Any) -> Prompt:
    history = (Said("user", "Hello"), Said("assistant", "Evening."))
    return built(request(message, sheet=replace(OSKAR, **fields), history=history, budgets=budgets or Budgets()))


def names(made: Prompt) -> list[str]:
    return [each.name for each in made.sections]


def test_they_stand_in_their_order() -> None:
    made = prompt(
        system_prompt="Be {{Char}}. {{original}}",
        post_history_instructions="Stay with {{user}}.",
        example_messages="<START>\n{{user}}: Hi\n{{char}}: Lo",
        lore=(FOG,),
        nickname="Ossi",
    )
    assert names(made) == ["identity", "persona", "examples", "lore", "history", "instructions", "message"]
    assert system(made).startswith("Be Ossi.")
    assert "Hi\nOssi: Lo" in section(made, "examples").text
    assert "Ossi says fog comes at four" in section(made, "lore").text
    assert [(each.role, each.content[:9]) for each in made.messages[-2:]] == [
        ("system", "Stay with"),
        ("user", "Is there "),
    ]
    assert made.tokens == sum(each.tokens for each in made.sections)


def test_a_character_without_a_card_has_none_of_them() -> None:
    made = prompt()
    assert names(made) == ["identity", "persona", "history", "message"]
    assert (made.lore, [each.role for each in made.messages]) == ((), ["system", "user", "assistant", "user"])


def test_examples_are_told_whole_or_not_at_all() -> None:
    made = prompt(example_messages=f"<START>\nshort one\n<START>\n{'long ' * 400}", budgets=Budgets(examples=60))
    found = section(made, "examples")
    assert ("short one" in found.text, "long" in found.text) == (True, False)
    assert found.note == "1 example conversation over the budget left out"
    assert found.tokens <= 60


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
    assert [(each.id, each.why, each.told) for each in made.lore] == [
        ("a", "“fog” was said", False),
        ("b", "“fog” was said", True),
        ("c", "always told", True),
    ]


def test_a_passage_that_says_what_the_lore_says_is_left_out() -> None:
    asked = request("Is there fog?", sheet=replace(OSKAR, lore=(LoreEntry("l1", "Fog comes at four.", keys=("fog",)),)))
    made = built(asked, passages=(passage("# Fog\n\nFog comes at four."), passage("Ships wait for it.")))
    found = section(made, "primary")
    assert ("Ships wait" in found.text, "comes at four" in found.text) == (True, False)
    assert found.note == "1 passage left out: the lore says it"
    assert section(built(asked, passages=(passage("Fog comes at four."),)), "primary").text == ""


def test_outside_text_is_never_expanded() -> None:
    made = prompt("What is {{char}}?", lore=(replace(FOG, content="They say {{user}}."),))
    assert made.messages[-1].content == "What is {{char}}?"
