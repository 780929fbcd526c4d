import json

import numpy as np

from characters.turn import asked, signals, weights
from characters.turn.background import OF_CHOSEN


def test_the_shipped_weights_are_for_the_signals_of_this_program() -> None:
    model = weights.shipped()
    for deciding in (model.by_vectors, model.by_words):
        assert deciding.rank.names == signals.NAMES
        assert deciding.asked.names == tuple(asked.CUES)
        assert deciding.right.names == OF_CHOSEN
        assert 0 < deciding.threshold < 1
        assert len(deciding.typical) == len(asked.CUES)


def test_they_name_their_sources_and_come_back_as_they_were_written() -> None:
    kept = json.loads(weights.FILE.read_text())
    assert "LoCoMo" in kept["sources"]
    assert weights.as_json(weights.shipped(), kept["sources"]) == kept


def test_a_probability_of_any_log_odds_is_one() -> None:
    assert weights.chance(np.array([-1e9, 0.0, 1e9])).round(6).tolist() == [0, 0.5, 1]
