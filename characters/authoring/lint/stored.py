"""Findings as JSON, with what the draft said then: one whose parts were changed since isn't told any more."""

from collections.abc import Iterator
from typing import Any

from characters.authoring.drafts import parts
from characters.authoring.drafts.services import Edit
from characters.authoring.lint.findings import Finding, Fix

Json = dict[str, Any]
Rows = dict[str, Any]
"""What a finding may be about, by part of the document."""


def rows_of(document: parts.Document) -> Rows:
    """The rows of a document's lists, and its identity text."""
    return {"identity": document.get("identity"), **parts.rows(document)}


def parts_of(finding: Finding) -> set[str]:
    """The parts that it is about: while they stay as they are, it stays true."""
    concerned = {f"fact:{id}" for id in finding.facts}
    concerned |= {edit.part for fix in finding.fixes for edit in fix.edits}
    return concerned | ({"identity"} if finding.kind == "repeated identity" else set())


def written(finding: Finding, rows: Rows) -> Json:
    """A finding in the document of these rows."""
    return {
        "kind": finding.kind,
        "sentence": finding.sentence,
        "facts": list(finding.facts),
        "tried": list(finding.tried),
        "fixes": [[fix.label, [[edit.part, edit.value] for edit in fix.edits]] for fix in finding.fixes],
        "seen": {part: parts.digest(rows.get(part)) for part in sorted(parts_of(finding))},
    }


def read(findings: list[Json], rows: Rows) -> Iterator[Finding]:
    """Those that are true of these rows as well."""
    digests: dict[str, str] = {}
    for each in findings:
        for part in each["seen"].keys() - digests.keys():
            digests[part] = parts.digest(rows.get(part))
        if all(digests[part] == was for part, was in each["seen"].items()):
            yield _finding(each)


def _finding(row: Json) -> Finding:
    fixes = tuple(Fix(label, tuple(Edit(part, value) for part, value in edits)) for label, edits in row["fixes"])
    return Finding(row["kind"], row["sentence"], tuple(row["facts"]), fixes, tuple(row["tried"]))
