"""`python -m tests.quality COMMAND ...`: what measures the program and its tests. Nothing of it ships.

evaluate KIND GOLD [--material FILE] --predictions OUT    run a stage over labelled rows, write what it predicts
table                                                     every set of the folder EVALS, into docs/quality.md
stores                                                    recall out of small and large stores, beside simple methods
mutations [ID ...]                                        make mistakes in a worktree; does a test notice?
fit_background, fit_probe, fit_gate EVALS, fit_confidence FILE    fit weights anew
"""

import os
import sys
from collections.abc import Callable
from importlib import import_module

import django

COMMANDS = ("evaluate", "fit_background", "fit_confidence", "fit_gate", "fit_probe")
PLAIN = ("mutations", "stores", "table")


def main(arguments: list[str]) -> int:
    name = arguments[0] if arguments else ""
    if name not in {*COMMANDS, *PLAIN}:
        sys.stderr.write(__doc__ or "")
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kgadmin.settings")
    os.environ.setdefault("SECRET_KEY", "only to measure with")
    django.setup()
    module = import_module(f"tests.quality.{name}")
    if name in COMMANDS:  # ends the process with its code and sentence, as manage.py does
        module.Command().run_from_argv(["tests.quality", *arguments])
        return 0
    run: Callable[[list[str]], int] = module.main
    return run(arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
