"""`manage.py check`: what is wrong with the settings."""

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.checks import CheckMessage
from pydantic import SecretStr
from pytest_django.fixtures import Settings

from kgadmin.config import ROOT, Config
from kgadmin.operations.checks import settings_fit

UNCHANGED = django_settings.CONFIG
FITTING = {"secret_key": SecretStr("a key"), "debug": False, "demo": False}


def messages_of(settings: Settings, **fields: Any) -> list[CheckMessage]:
    settings.CONFIG = UNCHANGED.model_copy(update=FITTING | fields)
    settings.CONFIG_ERRORS = []
    return settings_fit(None)


def test_a_data_folder_that_is_a_file_is_all_that_is_wrong_and_named(tmp_path: Path) -> None:
    """As a user runs it: the settings are read before anything can be said."""
    file = tmp_path / "file"
    file.write_text("")
    known = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    env = known | {"DATA_DIR": str(file), "SECRET_KEY": "a key"}
    command = [sys.executable, "manage.py", "check"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert "kgadmin.E005" in done.stderr
    assert "identified 1 issue" in done.stderr


def test_every_value_that_is_wrong_by_itself_is_named_and_none_of_them_shown(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Config.model_fields["data_dir"], "default", tmp_path)

    def errors_of(**variables: str) -> str:
        with monkeypatch.context() as environment:
            for name, value in variables.items():
                environment.setenv(name, value)
            settings.CONFIG_ERRORS = runpy.run_path(str(ROOT / "kgadmin" / "settings.py"))["CONFIG_ERRORS"]
        messages = settings_fit(None)
        assert all(message.id == "kgadmin.E001" and message.hint for message in messages)
        return "\n".join(str(message.msg) for message in messages)

    several = errors_of(DEBUG="maybe", LLM_TIMEOUT="-17", DATABASE_URL="postgrass://me:hush@there/kg")
    assert [line.partition(":")[0] for line in several.splitlines()] == ["DEBUG", "DATABASE_URL", "LLM_TIMEOUT"]
    assert not any(value in several for value in ("maybe", "-17", "hush"))
    assert "allowed_hosts" in errors_of(ALLOWED_HOSTS="a,b")  # a list is JSON


def test_a_wrong_or_missing_setting_has_an_id_and_a_hint(settings: Settings) -> None:
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"secret_key": None}, "E002", "SECRET_KEY"),
        ({"llm_base_url": "http://localhost:1/v1", "llm_model": ""}, "E003", "LLM_MODEL"),
        ({"llm_base_url": "localhost", "llm_model": "m"}, "E004", "LLM_BASE_URL"),
        ({"graph_url": "http://localhost:7687"}, "E004", "GRAPH_URL"),
        ({"vectors_url": "http://localhost:port"}, "E004", "VECTORS_URL"),
        ({"data_dir": Path("/dev/null/folder")}, "E005", "/dev/null/folder"),
        ({"embedder_model": "/no/such/folder"}, "E006", "/no/such/folder"),
        ({"demo": True, "allowed_hosts": ["kg.example.org"]}, "E007", "Demo accounts"),
        ({"demo": True, "allowed_hosts": ["*"]}, "E007", "Demo accounts"),
    ]
    for fields, id_, part in wrong:
        messages = [(each.id, part in each.msg, bool(each.hint)) for each in messages_of(settings, **fields)]
        assert messages == [(f"kgadmin.{id_}", True, True)], fields


def test_what_fits_is_no_error(settings: Settings) -> None:
    fitting: list[dict[str, Any]] = [
        {"demo": True, "allowed_hosts": ["127.0.0.1", "localhost"]},
        {"demo": True, "allowed_hosts": ["kg.example.org"], "debug": True},
        {"graph_url": "neo4j+s://graph.example.org", "vectors_url": "https://vectors.example.org:8000"},
        {"secret_key": None, "debug": True},
    ]
    for fields in fitting:
        assert messages_of(settings, **fields) == [], fields
