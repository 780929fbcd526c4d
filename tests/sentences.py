"""Lists every sentence that somebody reads in the interface, with its place.

`python -m tests.sentences [PATH ...]`: text and spoken attributes of templates, sentences in JavaScript, and string
constants in Python, which are no docstring, log, query or pattern. `…` stands for a value, `|` for a choice.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).parents[1]
INLINE = frozenset("a abbr b code del em i ins kbd mark q small strong sub sup time".split())
SPOKEN = frozenset("alt aria-description aria-label aria-roledescription data-label label placeholder title".split())
CHOICES = frozenset("if elif else endif for empty endfor".split())
UNREAD = frozenset("debug exception getLogger info warning compile execute filter values_list".split())
# Languages' data, what never ships, and what only engines read.
ELSEWHERE = re.compile(r"(^tests/|/migrations/|/language/|/domain/words/|/words\.py$|settings\.py$|/demo/|/cypher)")
QUERY = re.compile(r"\b(MATCH|SELECT|UPDATE|INSERT|DELETE|CREATE|MERGE|UNWIND|WHERE|RETURN)\b|\(\?|\\[bsw]|^[\[#./]")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')

Sentence = tuple[int, str]


class _Texts(HTMLParser):
    """The texts of a template whose tags are already gone, joined over inline elements."""

    def __init__(self) -> None:
        super().__init__()
        self.sentences: list[Sentence] = []
        self.text = ""
        self.line = 0
        self.is_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE:
            self.end()
        self.is_code = tag in ("script", "style", "svg")
        kind = dict(attrs).get("type")
        for name, value in attrs:
            if value and (name in SPOKEN or (name == "value" and kind in ("submit", "button"))):
                self.add(self.getpos()[0], value)

    def handle_endtag(self, tag: str) -> None:
        self.is_code = False
        if tag not in INLINE:
            self.end()

    def handle_data(self, data: str) -> None:
        if not self.is_code:
            self.line = self.line or self.getpos()[0] + len(list(takewhile(str.isspace, data.split("\n"))))
            self.text += data

    def end(self) -> None:
        self.add(self.line, self.text)
        self.text, self.line = "", 0

    def add(self, line: int, text: str) -> None:
        words = " ".join(unescape(text).split())
        if re.search(r"[A-Za-z]{2}", words):
            self.sentences.append((line, words))


def _of_template(source: str) -> Iterator[Sentence]:
    def plain(tag: re.Match[str]) -> str:
        words = tag[0].strip("{%} ").split()
        mark = "…" if tag[0].startswith("{{") else "|" if words[0] in CHOICES else ""
        if words[0] in ("columns", "figure", "state"):
            mark = "".join(
                f"<hr>{text}<hr>" for text in tag[0].split('"')[1 : None if words[0] == "columns" else 2 : 2]
            )
        if words[0] in ("block", "endblock", "extends", "include", "partialdef", "endpartialdef"):
            mark = "<hr>" if source.rfind("<", 0, tag.start()) <= source.rfind(">", 0, tag.start()) else ""
        return mark + "\n" * tag[0].count("\n")

    page = _Texts()
    page.feed(re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", plain, source, flags=re.DOTALL))
    page.end()
    yield from page.sentences


def _of_script(source: str) -> Iterator[Sentence]:
    code = re.sub(r"(?m)(^|\s)//.*$", "", source)
    for literal in LITERAL.finditer(code):
        text = re.sub(r"\$\{[^}]*\}", "…", literal[1] or literal[2] or "")
        if re.search(r"[A-Za-z’]{2,}[,.:]? [A-Za-z]", text) and not re.search(r"[\[\]=<>#]|^\.", text):
            yield code.count("\n", 0, literal.start()) + 1, text


def _of_module(source: str) -> Iterator[Sentence]:
    tree = ast.parse(source)
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in UNREAD:
                skipped.update(id(part) for part in ast.walk(node))
            case ast.JoinedStr(values=parts) if id(node) not in skipped:
                skipped.update(id(part) for part in parts)
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts)
                yield from _if_read(node.lineno, text)
            case ast.Constant(value=str(text)) if id(node) not in skipped:
                yield from _if_read(node.lineno, text)


def _if_read(line: int, text: str) -> Iterator[Sentence]:
    if re.search(r"[A-Za-z’]{2,}\S* \S*[A-Za-z…]|^[A-Z][a-z]{2,}$", text) and not QUERY.search(text):
        yield line, " ".join(text.split())


READERS = {".html": _of_template, ".js": _of_script, ".py": _of_module}


def sentences(*below: str) -> list[str]:
    """`path:line sentence` of each sentence in the tracked files below these paths."""
    listed = subprocess.run(
        ["git", "ls-files", *(below or (".",))], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    return [
        f"{path}:{line} {text}"
        for path in listed
        if Path(path).suffix in READERS and "vendor" not in path and not ELSEWHERE.search(path)
        for line, text in sorted(set(READERS[Path(path).suffix]((ROOT / path).read_text(encoding="utf-8"))))
    ]


if __name__ == "__main__":
    print(*sentences(*sys.argv[1:]), sep="\n")
