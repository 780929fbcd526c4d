"""`python -m kgadmin.embedded`, which is what `make run` calls."""

import argparse
import os
import sys
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from kgadmin.config import ROOT, Config
from kgadmin.embedded.run_file import RUN_FILE, read_run_file
from kgadmin.embedded.runner import PREFERRED_PORTS, Runner, StartError


def main() -> int:
    arguments = _arguments()
    if sys.platform != "linux":
        print("kgadmin's own servers run on Linux only.", file=sys.stderr)
        return 1
    data_dir = Path(os.environ.get("DATA_DIR") or ROOT / ".data").resolve()
    data_dir.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(data_dir / "run.lock", timeout=0):
            return _run(data_dir, arguments.port)
    except Timeout:
        running = read_run_file(data_dir)
        print(f"kgadmin already runs on {data_dir}: {running.get('address')} (process {running.get('pid')}).")
        return 0


def _run(data_dir: Path, port: int) -> int:
    # A run that was killed left it behind, and its settings would be taken for the user's.
    (data_dir / RUN_FILE).unlink(missing_ok=True)
    try:
        config = Config(data_dir=data_dir)
        demo = config.demo if "demo" in config.model_fields_set else True
        print(f"Starting kgadmin on {data_dir}", flush=True)
        Runner(config, port=port, demo=demo).run()
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors())
        print(f"A setting is wrong. {wrong}. Correct it in the environment or in .env.", file=sys.stderr)
        return 1
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m kgadmin.embedded", description=__doc__)
    parser.add_argument("--port", type=int, default=PREFERRED_PORTS.web, help="the web server's port")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
