import json
import os
from pathlib import Path

from kgadmin.embedded.run_file import MAX_OUTAGES, RunFile, kept_secrets, read_run_file


def run_file(folder: Path) -> RunFile:
    return RunFile(folder, "http://127.0.0.1:8000/", {"GRAPH_PASSWORD": "secret"})


def test_only_its_user_may_read_it(tmp_path: Path) -> None:
    run_file(tmp_path).save()
    kept_secrets(tmp_path)
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()} == {
        "run.json": "0o600",
        "secrets.json": "0o600",
    }


def test_it_tells_where_the_program_runs(tmp_path: Path) -> None:
    file = run_file(tmp_path)
    file.part("graph").port = 7687
    file.save()
    written = read_run_file(tmp_path)
    assert (written["pid"], written["address"]) == (os.getpid(), "http://127.0.0.1:8000/")
    assert written["settings"] == {"GRAPH_PASSWORD": "secret"}
    assert written["parts"]["graph"]["port"] == 7687
    assert written["parts"]["graph"]["state"] == "starting"


def test_secrets_are_made_once(tmp_path: Path) -> None:
    first = kept_secrets(tmp_path)
    assert kept_secrets(tmp_path) == first
    assert len(first["secret_key"]) >= 50


def test_an_outage_lasts_until_the_part_is_up_again(tmp_path: Path) -> None:
    file = run_file(tmp_path)
    file.outage_begins("graph", "killed by SIGKILL")
    file.outage_begins("graph", "ended with code 1")
    assert [(outage["reason"], outage["to"]) for outage in file.outages] == [("killed by SIGKILL", None)]
    file.outage_ends("graph")
    assert file.outages[0]["to"] is not None


def test_old_outages_make_room(tmp_path: Path) -> None:
    file = run_file(tmp_path)
    for number in range(MAX_OUTAGES + 5):
        file.outage_begins("web", f"ended with code {number}")
        file.outage_ends("web")
    file.save()
    reasons = [outage["reason"] for outage in json.loads((tmp_path / "run.json").read_text())["outages"]]
    assert len(reasons) == MAX_OUTAGES
    assert reasons[-1] == f"ended with code {MAX_OUTAGES + 4}"


def test_a_stopped_program_leaves_none(tmp_path: Path) -> None:
    file = run_file(tmp_path)
    file.save()
    file.remove()
    assert read_run_file(tmp_path) == {}
