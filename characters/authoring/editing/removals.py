"""What an author removed last, to be put back with one press: kept in the session."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import HttpRequest

from characters.authoring.drafts import parts
from characters.authoring.drafts.parts import Document
from characters.authoring.drafts.services import Edit
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
    removed = request.session.get(KEY, {})
    is_last = (removed.get("draft"), removed.get("version")) == (draft.pk, draft.version)
    return list(removed["facts"]) if is_last else []


def undone(request: HttpRequest, draft: Draft) -> Iterator[Edit]:
    """Edits that put back where they stood what is still not there, also where something was saved since."""
    removed = request.session.get(KEY, {})
    if removed.get("draft") != draft.pk:
        return
    ids = parts.get(draft.document, parts.ORDER)
    for row in removed["facts"]:
        if row["id"] not in ids:
            ids = put_back(ids, row["id"], removed["order"])
            yield Edit(f"fact:{row['id']}", row)
    if ids != parts.get(draft.document, parts.ORDER):
        yield Edit(parts.ORDER, ids)


def put_back(ids: list[str], fact_id: str, order: list[str]) -> list[str]:
    """The ids with one that was taken out, behind the nearest one that stood before it in `order`."""
    before = [each for each in order[: order.index(fact_id)] if each in ids]
    place = ids.index(before[-1]) + 1 if before else 0
    return [*ids[:place], fact_id, *ids[place:]]
