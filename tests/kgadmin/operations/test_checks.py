"""`manage.py check`: what is wrong with the settings. Where Django can't even start it runs in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import CheckMessage
from pydantic import SecretStr
from pytest_django.fixtures import Settings

from kgadmin.config import ROOT
from kgadmin.operations.checks import settings_fit

FITTING = {"secret_key": SecretStr("a key"), "debug": False, "demo": False}


def found(settings: Settings, **fields: Any) -> list[CheckMessage]:
    settings.CONFIG = settings.CONFIG.model_copy(update=FITTING | fields)
    settings.CONFIG_ERRORS = []
    return settings_fit(None)


def check(data_dir: Path, **variables: str) -> str:
    """What `manage.py check` says, as a user runs it."""
    known = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    env = known | {"DATA_DIR": str(data_dir), "SECRET_KEY": "a key"} | variables
    command = [sys.executable, "manage.py", "check"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


def test_settings_that_fit_have_no_issues(tmp_path: Path) -> None:
    assert "no issues" in check(tmp_path)


def test_several_wrong_values_are_all_named(tmp_path: Path) -> None:
    said = check(tmp_path, DEBUG="maybe", LLM_TIMEOUT="-1", DATABASE_URL="nonsense")
    assert said.count("kgadmin.E001") == 3
    assert all(name in said for name in ("DEBUG", "LLM_TIMEOUT", "DATABASE_URL", "HINT"))


def test_a_list_that_is_no_json_is_named(tmp_path: Path) -> None:
    said = check(tmp_path, ALLOWED_HOSTS="a,b")
    assert "kgadmin.E001" in said
    assert "allowed_hosts" in said


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert "kgadmin.E005" in check(file)


@pytest.mark.parametrize(
    ("fields", "id_", "part"),
    [
        ({"secret_key": None}, "E002", "SECRET_KEY"),
        ({"llm_base_url": "http://localhost:1/v1", "llm_model": ""}, "E003", "LLM_MODEL"),
        ({"llm_base_url": "localhost", "llm_model": "m"}, "E004", "LLM_BASE_URL"),
        ({"graph_url": "http://localhost:7687"}, "E004", "GRAPH_URL"),
        ({"graph_url": "bolt://"}, "E004", "GRAPH_URL"),
        ({"vectors_url": "http://localhost:port"}, "E004", "VECTORS_URL"),
        ({"vectors_url": "http://[::1"}, "E004", "VECTORS_URL"),
        ({"data_dir": Path("/dev/null/folder")}, "E005", "/dev/null/folder"),
        ({"embedder_model": "/no/such/folder"}, "E006", "/no/such/folder"),
        ({"demo": True, "allowed_hosts": ["kg.example.org"]}, "E007", "Demo accounts"),
        ({"demo": True, "allowed_hosts": ["*"]}, "E007", "Demo accounts"),
    ],
)
def test_a_wrong_or_missing_setting_has_an_id_and_a_hint(
    settings: Settings, fields: dict[str, Any], id_: str, part: str
) -> None:
    [message] = found(settings, **fields)
    assert message.id == f"kgadmin.{id_}"
    assert part in message.msg
    assert message.hint


@pytest.mark.parametrize(
    "fields",
    [
        {"demo": True, "allowed_hosts": ["127.0.0.1", "localhost"]},
        {"demo": True, "allowed_hosts": ["kg.example.org"], "debug": True},
        {"graph_url": "neo4j+s://graph.example.org", "vectors_url": "https://vectors.example.org:8000"},
        {"data_dir": Path("/tmp/not/there/yet")},
        {"secret_key": None, "debug": True},
    ],
)
def test_what_fits_is_no_error(settings: Settings, fields: dict[str, Any]) -> None:
    assert found(settings, **fields) == []
