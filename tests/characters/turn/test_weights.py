from characters.turn import cues, signals, weights
from characters.turn.background import OF_CHOSEN


def test_the_shipped_weights_are_for_the_signals_of_this_program() -> None:
    model = weights.shipped()
    for deciding in (model.by_vectors, model.by_words):
        assert deciding.rank.names == signals.NAMES
        assert deciding.asked.names == tuple(cues.CUES)
        assert deciding.right.names == OF_CHOSEN
        assert 0 < deciding.threshold < 1
        assert len(deciding.typical) == len(cues.CUES)
