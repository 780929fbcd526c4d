"""What an author removed last, to be put back with one press: kept in the session while nothing else was saved."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from characters.profiles.drafts import parts
from characters.profiles.drafts.parts import Document
from characters.profiles.drafts.services import Edit
from characters.profiles.models import Draft

KEY = "removed facts"


def keep(request: HttpRequest, edits: Iterable[Edit], before: Document, draft: Draft) -> None:
    """Keep what these edits removed, now that they are saved in `draft`."""
    removed = {edit.part for edit in edits if edit.value is None}
    gone = [row for row in before["facts"] if f"fact:{row['id']}" in removed]
    if gone:
        kept = {"draft": draft.pk, "version": draft.version, "facts": gone, "order": parts.get(before, parts.ORDER)}
        request.session[KEY] = kept


def just_removed(request: HttpRequest, draft: Draft) -> list[dict[str, Any]]:
    """The facts whose removal was the last thing that happened to this draft."""
    kept = request.session.get(KEY, {})
    is_last = (kept.get("draft"), kept.get("version")) == (draft.pk, draft.version)
    return list(kept["facts"]) if is_last else []


def undone(request: HttpRequest, draft: Draft) -> Iterable[Edit]:
    """Edits that put them back where they stood."""
    facts = just_removed(request, draft)
    nothing = parts.digest(None)
    yield from (Edit(f"fact:{row['id']}", row, nothing) for row in facts)
    if facts:
        yield Edit(parts.ORDER, request.session[KEY]["order"])
