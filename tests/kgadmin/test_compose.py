"""`docker-compose.yml` and its Dockerfile, as a parser reads them."""

import re
from typing import Any

import pytest
import yaml

from kgadmin.config import ROOT, Config

TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PROGRAM = ("migrate", "web", "worker", "beat")
SETTINGS = {name.upper() for name in Config.model_fields}


def test_the_environment_of_the_program_is_what_settings_read() -> None:
    given = SERVICES["web"]["environment"]
    assert set(given) <= SETTINGS
    engines = {"DATABASE_URL", "BROKER_URL", "GRAPH_URL", "GRAPH_USER", "GRAPH_PASSWORD", "GRAPH_DATABASE"}
    assert {"SECRET_KEY", "VECTORS_URL", *engines} <= set(given)
    assert all(SERVICES[name]["environment"] == given for name in PROGRAM)


def test_the_settings_that_it_makes_are_settings_that_the_program_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SERVICES["web"]["environment"].items():
        monkeypatch.setenv(name, re.sub(r"\$\{(\w+)[^}]*\}", r"a-\1", value))
    config = Config(_env_file=None)
    assert str(config.database_url) == "postgresql://kgadmin:a-DATABASE_PASSWORD@database:5432/kgadmin"
    assert (config.graph_url, config.graph_user, config.graph_database) == ("bolt://graph:7687", "neo4j", "neo4j")
    assert config.graph_password.get_secret_value() == "a-GRAPH_PASSWORD"
    assert (config.broker_url, config.vectors_url) == ("redis://broker:6379/0", "http://vectors:8000")


def test_the_chroma_server_is_the_clients_release() -> None:
    (pinned,) = re.findall(r"^chromadb==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert SERVICES["vectors"]["image"] == f"chromadb/chroma:{pinned}"


def test_only_the_web_is_published_and_only_on_this_machine_unless_told() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["web"]
    assert SERVICES["web"]["ports"] == ["${PUBLISH:-127.0.0.1:8000}:8000"]


def test_it_holds_no_secret() -> None:
    secrets = re.findall(r"^.*(?:PASSWORD|SECRET_KEY|AUTH)\w*: (.+)$", TEXT, re.MULTILINE)
    assert len(secrets) == 4
    assert all(re.fullmatch(r"(neo4j/)?\$\{\w+:\?\w+ is not set in \.env\}", secret) for secret in secrets)
    assert re.findall(r"://\w+:(?!\$\{)[^\s@]+@", TEXT) == []


def test_the_image_is_made_of_the_pinned_requirements_for_the_pinned_python() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^FROM python:3\.11\.\d+-slim-bookworm$", dockerfile, re.MULTILINE)
    assert "-r requirements.txt -r requirements-postgres.txt" in dockerfile
    assert dockerfile.index("manage.py export_embedder --installed") < dockerfile.index("USER kgadmin\n")
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".env", ".data", ".git", ".venv"} <= set(ignored)
