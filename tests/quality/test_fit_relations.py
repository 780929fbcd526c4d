import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from kgadmin.stores import wiring
from tests.kgadmin.knowledge.ingesting import HashEmbedder
from tests.quality import fit_relations
from tests.quality import fitting_relations as fitting

THINGS = ("boiler", "valve", "garden", "ferry", "kiln", "tram", "orchard", "bell", "lamp", "cellar", "well", "mill")
LATER = {
    "Causal": "it broke because of the {}",
    "Contrast": "but the {} is not here",
    "Elaboration": "which {} do you mean ?",
    "Follow-up": "the {} of the house",
    "Reframe/Correction": "i meant the old {}",
    "Unrelated": "somebody sang all night long beside a {}",
}


@pytest.fixture(autouse=True)
def _cheap(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATA_DIR = tmp_path / "data"
    monkeypatch.setattr(wiring, "embedder", HashEmbedder)


@pytest.fixture
def evals(tmp_path: Path) -> Path:
    related = [
        {"id": f"{thing}-{name}", "source": f"look at the {thing} , {name}", "target": said.format(thing)}
        | {"relation": name, "corpus": "molweni"}
        for thing in THINGS
        for name, said in LATER.items()
    ]
    turned = [
        {"id": f"{thing}-{shift}", "source": f"the {thing} is old .", "dialogue": thing, "turn": shift, "shift": shift}
        | {"target": "do you like to swim ?" if shift else f"yes , that {thing} is very old ."}
        for thing in THINGS
        for shift in (0, 1)
    ]
    for name, rows in (("d_relations", related), ("d_topicshift", turned)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_weights_are_fitted_alike_twice_and_the_figures_are_told(
    evals: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one.json", "two.json"):
        call_command(fit_relations.Command(), evals, out=tmp_path / name)
    told = capsys.readouterr().out
    one = json.loads((tmp_path / "one.json").read_text())
    assert (tmp_path / "one.json").read_text() == (tmp_path / "two.json").read_text()
    assert "Molweni" in one["sources"]
    assert one["relations"]["weights"]["but"][1] == max(one["relations"]["weights"]["but"])
    assert told.count("cross-validated") == 4
    assert "topic shift, F1: 1.000 fitted" in told


def test_a_set_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"There is no file or folder .*d_relations"):
        call_command(fit_relations.Command(), tmp_path, out=tmp_path / "weights.json")
    assert not (tmp_path / "weights.json").exists()


def test_a_place_that_cannot_be_written_is_told(evals: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="can't be written"):
        call_command(fit_relations.Command(), evals, out=tmp_path / "nowhere" / "weights.json")


def test_best_from_parts_what_can_be_parted() -> None:
    assert fitting.best_from([0.9, 0.2, 0.7, 0.1], ["shift", "none", "shift", "none"]) == pytest.approx(0.45)
