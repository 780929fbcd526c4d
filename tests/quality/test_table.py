from tests.quality.table import Wanted


def test_a_figure_that_should_be_high_is_met_from_its_goal_on() -> None:
    assert Wanted("hit@3", 0.9).row("A", "set", 0.9) == "| A | set | hit@3 | 0.900 | at least 0.90 | yes |"
    assert Wanted("hit@3", 0.9).row("A", "set", 0.89).endswith("| no |")


def test_a_figure_that_should_be_low_is_met_up_to_its_goal() -> None:
    false = Wanted("false_trigger", 0.1, is_most=True)
    assert false.row("A", "set", 0.1).endswith("| at most 0.10 | yes |")
    assert false.row("A", "set", 0.11).endswith("| no |")
