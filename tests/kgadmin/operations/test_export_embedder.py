"""`manage.py export_embedder`, as whoever installs the program runs it."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from kgadmin.stores import exported, exporter
from kgadmin.stores.model_files import model_id
from tests.tiny_models import table_of_vectors


def run(*options: str) -> str:
    out = StringIO()
    call_command("export_embedder", *options, stdout=out)
    return out.getvalue().strip()


def sealed(name: str, into: Path) -> Path:
    """An export of nothing: `tests/kgadmin/stores/test_exporter.py` has the work itself."""
    made = into / model_id(name)
    made.mkdir(parents=True, exist_ok=True)
    (made / exported.WEIGHTS).write_bytes(b"weights")
    exported.seal(made, model_id(name))
    return made


@pytest.fixture
def model(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The model that is set, of a program with a data folder of its own."""
    monkeypatch.setattr(exporter, "export", sealed)
    folder = tmp_path / "a-model"
    folder.mkdir()
    return use(settings, tmp_path, str(folder))


def use(settings: Settings, data_dir: Path, model: str) -> str:
    settings.DATA_DIR = data_dir
    settings.CONFIG = settings.CONFIG.model_copy(update={"embedder_model": model, "data_dir": data_dir})
    return model


def test_the_model_that_is_set_is_exported_once_and_again_when_the_export_is_broken(model: str, tmp_path: Path) -> None:
    made = tmp_path / "embedder" / model_id(model)
    first = run()
    assert first.startswith(f"Exported {model} in ")
    assert first.endswith(f" s, into {made}")
    assert run() == f"The export is already there: {made}"
    (made / exported.WEIGHTS).write_bytes(b"broken")
    assert run().startswith("Exported ")
    assert run() == f"The export is already there: {made}"


def test_a_model_that_can_not_be_exported_is_an_error_unless_told(settings: Settings, tmp_path: Path) -> None:
    use(settings, tmp_path, table_of_vectors(tmp_path))
    with pytest.raises(CommandError, match=r"^The model can't be exported: its tokenizer"):
        run()
    assert run("--if-possible").endswith("Web processes go on with sentence-transformers.")
