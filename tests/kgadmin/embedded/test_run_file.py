from pathlib import Path

from kgadmin.embedded.run_file import RunFile, read_run_file, secrets_of


def run_file(folder: Path) -> RunFile:
    return RunFile(data_dir=folder, address="http://127.0.0.1:8000/", settings={"GRAPH_PASSWORD": "secret"})


def test_what_is_saved_is_read_by_its_user_alone_until_it_is_removed(tmp_path: Path) -> None:
    file = run_file(tmp_path)
    file.part("graph").port = 7687
    file.save()
    assert read_run_file(tmp_path) == file
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == 0o600
    file.remove()
    assert read_run_file(tmp_path) is None


def test_secrets_are_made_once_for_their_user_alone(tmp_path: Path) -> None:
    first = secrets_of(tmp_path)
    assert secrets_of(tmp_path) == first
    assert len(first["secret_key"]) >= 50
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600
