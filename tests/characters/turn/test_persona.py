from characters.turn.persona import choose_persona
from characters.turn.probe import Probe
from tests.characters.turn.world import request

ABOUT_LANTERNS = Probe(primary="lanterns", margin=0.42)


def test_a_pinned_persona_comes_before_everything_and_stays_when_the_stage_is_switched_off() -> None:
    for off in (frozenset[str](), frozenset({"persona"})):
        chosen = choose_persona(request("a tale about pruning", persona="driver", off=off), ABOUT_LANTERNS)
        assert (chosen.slug, chosen.rule) == ("driver", "Chosen for this turn.")


def test_the_primary_base_comes_before_keywords_and_tells_its_margin() -> None:
    chosen = choose_persona(request("Does pruning the apple tree hurt?"), ABOUT_LANTERNS)
    assert (chosen.slug, chosen.margin) == ("storyteller", 0.42)
    assert "lanterns" in chosen.rule


def test_a_base_that_no_persona_goes_with_leaves_it_to_keywords() -> None:
    chosen = choose_persona(request("Does pruning hurt?"), Probe(primary="harbour", margin=0.3))
    assert (chosen.slug, chosen.margin) == ("gardener", 0.0)
    assert "pruning" in chosen.rule


def test_keywords_match_whole_words_in_any_form_and_in_their_order() -> None:
    for message, slug in (
        ("my apple trees are ill", "gardener"),
        ("the Apple Tree?", "gardener"),
        ("he prunes and pruned", "gardener"),
        ("a talent for stalemate", "driver"),
        ("the tree and the apple", "driver"),
        ("pineapple trees", "driver"),
    ):
        assert choose_persona(request(message), Probe()).slug == slug, message


def test_the_persona_with_most_keywords_wins() -> None:
    assert choose_persona(request("a tale of pruning an apple tree"), Probe()).slug == "gardener"


def test_without_base_and_keyword_it_is_the_default() -> None:
    chosen = choose_persona(request("What time is it?"), Probe())
    assert chosen.slug == "driver"
    assert chosen.rule.startswith("The default")
    assert chosen.others == ("Storyteller", "Gardener")
