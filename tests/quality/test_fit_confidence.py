import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from characters.review.verdicts import confidence
from kgadmin.config import ROOT
from tests.quality import fit_confidence
from tests.quality import fitting_confidence as fitting

LABELLED = ROOT / "tests/data/claims_confidence.jsonl"
MOST_ERROR = 0.10


def test_the_labelled_claims_are_read_and_of_both_kinds() -> None:
    samples = fitting.samples(LABELLED)
    assert len(samples) >= 150
    assert 60 <= sum(each.is_held for each in samples) < len(samples)
    assert 0.4 < sum(each.is_lasting for each in samples) / len(samples) < 0.7


def test_what_is_shipped_is_what_is_fitted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command(fit_confidence.Command(), LABELLED, out=tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == json.loads(confidence.FILE.read_text())
    assert "held, by weights of dev: 105 claims, expected error " in capsys.readouterr().out


def test_confidence_is_about_right_on_claims_that_it_was_not_fitted_on() -> None:
    samples = fitting.samples(LABELLED)
    held = [each for each in samples if each.is_held]
    weights = fitting.fit([each for each in samples if not each.is_held])
    table = fitting.bins(fitting.confidences(weights, held), held)
    assert fitting.expected_error(table) <= MOST_ERROR
    assert [row.share for row in table] == sorted(row.share for row in table)


def test_no_part_makes_a_claim_less_sure() -> None:
    assert (confidence.shipped().weights >= 0).all()


@pytest.mark.parametrize(("text", "sentence"), [("{}", "can't be read"), ("", "no claims of both splits")])
def test_a_bad_file_is_told_in_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "claims.jsonl").write_text(text)
    with pytest.raises(CommandError, match=sentence):
        call_command(fit_confidence.Command(), tmp_path / "claims.jsonl", out=tmp_path / "out.json")
