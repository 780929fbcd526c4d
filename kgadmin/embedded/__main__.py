"""`python -m kgadmin.embedded` is `make run`; with an option it is `make purge`, `backup` or `restore`."""

import argparse
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from kgadmin.config import Config
from kgadmin.embedded.backup import backup, restore
from kgadmin.embedded.process import StartError
from kgadmin.embedded.purge import purge
from kgadmin.embedded.run_file import RUN_FILE, read_run_file
from kgadmin.embedded.runner import Runner
from kgadmin.embedded.servers import PREFERRED


def main() -> int:
    arguments = _arguments()
    os.umask(0o077)  # whatever this program and its parts write is for this account alone
    try:
        data_dir = Config().data_dir.resolve()
        _make_private(data_dir)
        if arguments.backup is not None:
            _refuse_another_database()
            backup(data_dir, Path(arguments.backup) if arguments.backup else None)
            return 0
        with FileLock(data_dir / "run.lock", timeout=0):
            _with_the_folder(data_dir, arguments)
    except Timeout:
        print(_where_it_runs(data_dir))
        return _refused() if arguments.purge or arguments.restore is not None else 0
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors())
        print(f"A setting is wrong. {wrong}. Correct it in the environment or in .env.", file=sys.stderr)
        return 1
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _make_private(data_dir: Path) -> None:
    """Make sure that the data folder exists, is writable, and is readable by this account only. Raises `StartError`."""
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        for folder, _, files in os.walk(data_dir):
            for path in (Path(folder), *(Path(folder, file) for file in files)):
                with suppress(FileNotFoundError):  # of a program that runs meanwhile
                    if (mode := path.lstat().st_mode) & 0o077 and not path.is_symlink():
                        path.chmod(mode & 0o700)
        tempfile.TemporaryFile(dir=data_dir).close()
    except OSError as error:
        raise StartError(
            f"The data folder {data_dir} can't be used ({error.strerror}: {error.filename or data_dir}). Let this "
            "account own it and write to it, or name another one: DATA_DIR=/another/folder make run"
        ) from error


def _with_the_folder(data_dir: Path, arguments: argparse.Namespace) -> None:
    if arguments.purge:
        purge(data_dir)
    elif arguments.restore is not None:
        _refuse_another_database()
        if not arguments.restore:
            raise StartError("Name the backup: make restore FILE=kgadmin-20260101-120000.tar.gz")
        restore(data_dir, Path(arguments.restore))
    else:
        _run(data_dir, arguments.port)


def _refuse_another_database() -> None:
    if (Config().database_url or "sqlite").partition(":")[0] != "sqlite":
        raise StartError(
            "DATABASE_URL names a database outside of the data folder: its own tools back it up (pg_dump)."
        )


def _run(data_dir: Path, port: int) -> None:
    # A run that was killed left it behind, and its settings would be taken for the user's.
    (data_dir / RUN_FILE).unlink(missing_ok=True)
    config = Config(data_dir=data_dir)
    print(f"Starting kgadmin on {data_dir}", flush=True)
    Runner(config, port=port, demo=config.demo if "demo" in config.model_fields_set else True).run()


def _refused() -> int:
    print("Stop it first (Ctrl-C where it runs), then do this again. Nothing was changed.", file=sys.stderr)
    return 1


def _where_it_runs(data_dir: Path) -> str:
    running = read_run_file(data_dir)
    if not running:
        return f"kgadmin is just being started or stopped on {data_dir}: try again in a moment."
    return f"kgadmin already runs on {data_dir}: {running.address} (process {running.pid})."


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m kgadmin.embedded", description=__doc__)
    parser.add_argument("--port", type=int, default=PREFERRED.web, help="the web server's port")
    parser.add_argument("--purge", action="store_true", help="remove what was deleted from the data folder's files")
    parser.add_argument(
        "--backup", metavar="FILE", help="write the data folder's backup; empty: a file named by the time"
    )
    parser.add_argument("--restore", metavar="FILE", help="put a backup into the data folder")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
