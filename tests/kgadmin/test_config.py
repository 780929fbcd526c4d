import json
import re
from pathlib import Path

import pytest

from kgadmin.config import ROOT, Config

EXAMPLE = (ROOT / ".env.example").read_text()


def write_run_file(folder: Path, **settings: object) -> None:
    (folder / "run.json").write_text(json.dumps({"settings": settings}))


def test_the_example_names_every_setting_and_nothing_else() -> None:
    named = {name.lower() for name in re.findall(r"^# ([A-Z_]+)=", EXAMPLE, re.MULTILINE)}
    assert named == set(Config.model_fields)


def test_addresses_come_from_what_make_run_wrote(tmp_path: Path) -> None:
    write_run_file(tmp_path, GRAPH_URL="bolt://127.0.0.1:4711", DEMO=True)
    config = Config(data_dir=tmp_path, _env_file=None)
    assert (config.graph_url, config.demo) == ("bolt://127.0.0.1:4711", True)


def test_the_environment_outranks_what_make_run_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run_file(tmp_path, GRAPH_URL="bolt://127.0.0.1:4711")
    monkeypatch.setenv("GRAPH_URL", "bolt://graph.example:7687")
    assert Config(data_dir=tmp_path, _env_file=None).graph_url == "bolt://graph.example:7687"
