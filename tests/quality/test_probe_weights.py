import random

from tests.quality.probe_weights import NAMES, Sample, fit


def test_the_weights_of_a_known_rule_are_found_again() -> None:
    chance = random.Random(3)
    samples: list[Sample] = []
    for _ in range(400):
        signals = [chance.random() for _ in NAMES[:-1]]
        samples.append((signals, signals[0] + chance.gauss(0, 0.05) > 0.5, 1.0))
    weights = fit(samples)
    assert weights[0] > 5 > max(abs(weights[1:-1]))
    assert abs(weights[0] / 2 + weights[-1]) < weights[0] / 4
