import json
import re
from pathlib import Path

import pytest

from kgadmin.config import ROOT, Config

EXAMPLE = (ROOT / ".env.example").read_text()


def test_the_example_names_every_setting_and_nothing_else() -> None:
    named = {name.lower() for name in re.findall(r"^# ([A-Z_]+)=", EXAMPLE, re.MULTILINE)}
    assert named == set(Config.model_fields)


def test_addresses_come_from_what_make_run_wrote_unless_the_environment_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = {"settings": {"GRAPH_URL": "bolt://127.0.0.1:4711", "DEMO": True}}
    (tmp_path / "run.json").write_text(json.dumps(written))
    config = Config(data_dir=tmp_path, _env_file=None)
    assert (config.graph_url, config.demo) == ("bolt://127.0.0.1:4711", True)
    monkeypatch.setenv("GRAPH_URL", "bolt://graph.example:7687")
    assert Config(data_dir=tmp_path, _env_file=None).graph_url == "bolt://graph.example:7687"
