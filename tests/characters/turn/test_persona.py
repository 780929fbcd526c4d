from characters.turn.persona import choose_persona
from characters.turn.probe import Probe
from tests.characters.turn.world import request

ABOUT_LANTERNS = Probe(primary="lanterns", margin=0.42)


def test_a_pinned_persona_comes_before_everything_and_stays_when_the_stage_is_switched_off() -> None:
    for off in (frozenset[str](), frozenset({"persona"})):
        chosen = choose_persona(request("a tale about pruning", persona="driver", off=off), ABOUT_LANTERNS)
        assert (chosen.slug, chosen.rule) == ("driver", "Chosen for this turn.")


def test_the_primary_base_comes_before_keywords_and_those_before_the_default() -> None:
    for message, probed, slug, margin, rule in (
        ("Does pruning the apple tree hurt?", ABOUT_LANTERNS, "storyteller", 0.42, "lanterns"),
        ("Does pruning hurt?", Probe(primary="harbour", margin=0.3), "gardener", 0.0, "pruning"),
        ("a tale of pruning an apple tree", Probe(), "gardener", 0.0, "apple tree"),
        ("What time is it?", Probe(), "driver", 0.0, "The default"),
    ):
        chosen = choose_persona(request(message), probed)
        assert (chosen.slug, chosen.margin) == (slug, margin), message
        assert rule in chosen.rule
        assert chosen.name not in chosen.others
        assert len(chosen.others) == 2


def test_keywords_match_full_words_in_any_form_and_in_their_order() -> None:
    for message, slug in (
        ("my apple trees are ill", "gardener"),
        ("he prunes and pruned", "gardener"),
        ("a talent for stalemate", "driver"),
        ("the tree and the apple", "driver"),
    ):
        assert choose_persona(request(message), Probe()).slug == slug, message
