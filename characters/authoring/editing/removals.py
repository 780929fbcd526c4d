"""What an author removed last, to be put back with one press: kept in the session."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from characters.authoring.drafts import parts
from characters.authoring.drafts.parts import Document
from characters.authoring.drafts.services import Edit
from characters.authoring.editing import rows
from characters.profiles.models import Draft

KEY = "removed facts"


def keep(request: HttpRequest, edits: Iterable[Edit], before: Document, draft: Draft) -> None:
    """Keep what these edits removed from the document `before`, now that they are saved in `draft`."""
    removed = {edit.part for edit in edits if edit.value is None}
    gone = [row for row in before["facts"] if f"fact:{row['id']}" in removed]
    if gone:
        order = parts.get(before, parts.ORDER)
        request.session[KEY] = {"draft": draft.pk, "version": draft.version, "facts": gone, "order": order}


def just_removed(request: HttpRequest, draft: Draft) -> list[dict[str, Any]]:
    """The facts whose removal was the last thing that happened to this draft."""
    kept = request.session.get(KEY, {})
    is_last = (kept.get("draft"), kept.get("version")) == (draft.pk, draft.version)
    return list(kept["facts"]) if is_last else []


def undone(request: HttpRequest, draft: Draft) -> Iterable[Edit]:
    """Edits that put back where they stood what is still not there, also where something was saved since."""
    kept = request.session.get(KEY, {})
    if kept.get("draft") != draft.pk:
        return
    ids = parts.get(draft.document, parts.ORDER)
    for row in kept["facts"]:
        if row["id"] not in ids:
            ids = rows.put_back(ids, row["id"], kept["order"])
            yield Edit(f"fact:{row['id']}", row)
    if ids != parts.get(draft.document, parts.ORDER):
        yield Edit(parts.ORDER, ids)
