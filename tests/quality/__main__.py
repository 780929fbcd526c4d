"""`python -m tests.quality COMMAND ...`: what measures the program and its tests. Nothing of it ships."""

import sys

from tests.quality import mutations

COMMANDS = {"mutations": mutations.main}


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in COMMANDS:
        sys.stderr.write(f"Name one of these: {', '.join(COMMANDS)}.\n")
        return 2
    return COMMANDS[arguments[0]](arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
