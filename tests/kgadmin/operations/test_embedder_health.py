"""What the page Health says of the embedder, in a web process and in any other."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from kgadmin.operations import probes
from kgadmin.stores import export_files, wiring
from kgadmin.stores.model_files import PACKAGED, model_id


@pytest.fixture
def web_process(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a data folder in which there is nothing yet."""
    settings.CONFIG = settings.CONFIG.model_copy(update={"data_dir": tmp_path})
    monkeypatch.setattr(wiring.process, "embeds_by_export", True)


def engine(client: Client) -> str:
    page = " ".join(client.get("/health/").content.decode().split())
    return page.partition('id="engine-embedder"')[2].partition("</article>")[0]


def test_a_web_process_with_an_export_names_onnx_runtime(
    operator_client: Client, web_process: None, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_files, "INSTALLED", export.parent)
    assert "<p>Loading its model; the first turns may have to wait.</p>" in engine(operator_client)
    wiring.embedder().warm()
    assert "<p>ONNX Runtime 1." in engine(operator_client)
    assert probes.embedder().text == ""


def test_a_web_process_without_an_export_says_what_embeds_and_why_and_what_to_do(
    operator_client: Client, web_process: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_files, "INSTALLED", tmp_path / "share")
    wiring.embedder().warm()
    text = engine(operator_client)
    assert ">Up<" in text
    assert "<p>sentence-transformers " in text
    assert f"There is no export of {model_id(PACKAGED)}. `manage.py export_embedder` makes one" in text
