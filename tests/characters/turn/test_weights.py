import json
from pathlib import Path

import numpy as np
import pytest

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


def test_they_name_their_sources_and_what_is_written_is_what_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = json.loads(weights.FILE.read_text())
    assert "LoCoMo" in kept["sources"]
    shipped = weights.shipped()
    monkeypatch.setattr(weights, "FILE", tmp_path / "weights.json")
    weights.write(shipped, kept["sources"], weights.FILE)
    assert json.loads(weights.FILE.read_text()) == kept
    read = weights.shipped.__wrapped__()
    assert np.allclose(read.about.others, shipped.about.others, atol=1e-6)
    assert np.allclose(read.about.about_her, shipped.about.about_her, atol=1e-6)


def test_a_message_is_nearer_to_the_examples_that_it_is_like() -> None:
    each = np.eye(8, dtype=np.float32)
    about = weights.About(weights.Linear((), each[0]), each[:5], each[3:])
    assert about.score(each[0])[1] > 0
    assert about.score(each[3])[1] == 0
    assert about.score(each[7])[1] < 0


def test_a_probability_of_any_log_odds_is_one() -> None:
    assert weights.chance(np.array([-1e9, 0.0, 1e9])).round(6).tolist() == [0, 0.5, 1]
