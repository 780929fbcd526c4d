"""What was typed and couldn't be saved, since somebody else wrote the draft: kept under Revisions."""

from collections.abc import Iterable
from typing import Any

from characters.authoring.drafts import parts
from characters.profiles import documents
from characters.profiles.models import Draft, Unsaved
from kgadmin.accounts.models import User

YAML = "yaml"
"""Among parts of the sheet, the whole text."""


def keep(draft: Draft, typed: Iterable[tuple[str, Any]], *, by: User, is_certain: bool = False) -> None:
    """Keep values of parts, once, as far as the draft doesn't say the same; where it soon won't, `is_certain`."""
    edits = [
        [part, value]
        for part, value in typed
        if not documents.unstorable(value) and (is_certain or not _stands(draft, part, value))
    ]
    rows = Unsaved.objects.filter(character=draft.character, user=by)
    if edits and not rows.filter(edits=edits).exists():
        rows.create(character=draft.character, user=by, edits=edits)


def _stands(draft: Draft, part: str, value: Any) -> bool:
    there = draft.yaml_typed or draft.yaml if part == YAML else parts.get(draft.document, part)
    return bool(there == value)
