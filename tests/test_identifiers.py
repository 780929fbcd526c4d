"""A stranger who knows the field knows every name: words that only their author understands stay out of identifiers.

`python -m tests.test_identifiers [PATH ...]` lists what stands in the way, in the files below the paths.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
# As a part of any name: each stood for several things (told: shown, rendered, a message; kept: stored, cached, left).
PARTS = frozenset("told said led leading heard hearing bury buried kept begun opened she hers her".split())
# As a whole name: the thing's own name says more, except in a comprehension or lambda of one line.
NAMES = frozenset("seen whole own found each one it".split())
# Nouns that end as participles do. A module is named by the thing that it holds.
NOUNS = frozenset("chunking drawing embedding meaning streaming string wiring".split())


def _in_one_line(tree: ast.Module) -> set[int]:
    """The ids of the nodes that a comprehension or a lambda of one line binds."""
    scopes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda)
        if node.lineno == node.end_lineno
    ]
    bound = [
        target
        for scope in scopes
        for target in ([scope.args] if isinstance(scope, ast.Lambda) else [part.target for part in scope.generators])
    ]
    return {id(name) for target in bound for name in ast.walk(target)}


def _names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The names that a file gives, each with its line. A test's name is a sentence, and not looked at."""
    short = _in_one_line(tree)
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) if (
                not name.startswith("test_")
            ):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                if id(node) not in short or name not in NAMES:
                    yield node.lineno, name


def _is_strange(name: str) -> bool:
    if name in ("first_seen", "last_seen"):
        return False
    return name.strip("_").lower() in NAMES or not PARTS.isdisjoint(
        re.split(r"_+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())
    )


def strangers(*below: str) -> list[str]:
    """`path:line name` of every name in a tracked file below these paths that its reader would have to be told."""
    listed = subprocess.run(
        ["git", "ls-files", *(below or (".",))], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    files = [Path(path) for path in listed if path.endswith(".py") and "/migrations/" not in path]
    nouns = NOUNS | {f"test_{noun}" for noun in NOUNS}
    modules = [f"{path}: the module's name" for path in files if path.stem.endswith("ing") and path.stem not in nouns]
    return modules + [
        f"{path}:{line} {name}"
        for path in files
        for line, name in sorted(set(_names(ast.parse((ROOT / path).read_text(encoding="utf-8")))))
        if _is_strange(name)
    ]


def test_every_name_is_one_that_a_stranger_knows() -> None:
    assert strangers() == []


if __name__ == "__main__":
    print("\n".join(strangers(*sys.argv[1:])))
