from playground.routing.figures import Alternative, Figures, Outcome, confusion, figures_of, suggestion, sweep

OUTCOMES = [
    *(Outcome(n, "reef", "reef", {"reef": Alternative(0.5, "reef", "")}) for n in range(5)),
    Outcome(5, "", "reef", {"reef": Alternative(0.38, "reef", "")}),
    Outcome(6, "reef", "", {"reef": Alternative(0.28, "reef", "")}),
    Outcome(7, "lab", "reef", {"reef": Alternative(0.4, "reef", "lab")}),
]


def test_right_false_and_missed_are_counted_and_a_wrong_base_is_both() -> None:
    assert figures_of(OUTCOMES) == Figures(count=8, right=5, false=2, missed=2)
    assert confusion(OUTCOMES) == (
        ["lab", "reef", ""],
        [("lab", [0, 1, 0]), ("reef", [0, 5, 1]), ("", [0, 1, 0])],
    )


def test_a_higher_threshold_trades_recall_for_precision_and_the_best_one_is_suggested() -> None:
    points = {point.threshold: point for point in sweep(OUTCOMES, "reef")}
    assert (points[0.1].recall, points[0.42].precision) == (1.0, 1.0)
    assert points[0.1].precision == 6 / 8
    assert points[0.42].accuracy == 7 / 8
    assert points[0.7].recall == 0.0


def test_a_threshold_is_suggested_where_five_labels_expect_the_base_and_five_do_not() -> None:
    others = [Outcome(n, "", "", {"reef": Alternative(0.2, "reef", "")}) for n in range(8, 11)]
    assert suggestion([*OUTCOMES, *others], "reef", 0.3) == 0.42
    assert suggestion([*OUTCOMES, *others], "reef", 0.45) is None, "it is as good already"
    assert suggestion(OUTCOMES, "reef", 0.3) is None, "two of them expect another"
    talk = [Outcome(n, "", "reef", {"reef": Alternative(0.6, "reef", "")}) for n in range(7)]
    assert suggestion(talk, "reef", 0.3) is None, "none of them expects it"


def test_an_outcome_survives_being_saved() -> None:
    assert [Outcome.from_json(each.as_json()) for each in OUTCOMES] == OUTCOMES
