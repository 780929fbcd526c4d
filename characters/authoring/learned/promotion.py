"""Taking what was learned into the draft, so that the next publish makes it core."""

from typing import Any

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.domain.sheet import Fact
from characters.profiles.documents import SheetError
from characters.profiles.learned.models import LearnedFact
from characters.profiles.learned.repeating import repeated
from characters.profiles.learned.services import graph_name
from characters.profiles.models import Character, Draft
from kgadmin import locks
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused


def left_in_draft(character: Character, fact: Fact) -> str:
    """The id of the draft's fact that says the same and isn't published; empty where there is none."""
    draft, live = Draft.objects.filter(character=character).first(), character.sheet
    there = repeated(draft.sheet, fact) if draft else None
    return there.id if there and not (live and repeated(live, fact)) else ""


@locks.atomic(Refused)
def promote(fact: LearnedFact, *, by: User | None, tab: str = "") -> str:
    """Add it to the draft as its author's own edit; the id of the draft's fact that says it. Raises `Refused`.

    It stays in use until the draft is published; then it is archived, since the sheet says it.
    """
    Character.objects.select_for_update().get(pk=fact.character_id)  # whoever undoes its approval waits, or was first
    now = LearnedFact.objects.select_related("predicate", "character").get(pk=fact.pk)
    if now.state == LearnedFact.State.TAKEN_BACK:
        raise Refused("Its approval was undone meanwhile, so nothing was added.")
    made: list[dict[str, Any]] = []

    def added(draft: Draft) -> list[Edit]:
        there = repeated(draft.sheet, now.fact)
        fact_id = there.id if there else drafts.next_fact_id(draft)
        made.append({"id": fact_id, "predicate": now.predicate.name, "object": now.object, "questions": []})
        return [] if there else [Edit(f"fact:{fact_id}", made[0])]

    before = drafts.draft_of(now.character).version
    try:
        draft = drafts.change(now.character, added, by=by, tab=tab)
    except SheetError as error:
        raise Refused(" ".join(error.problems)) from error
    fact_id = str(made[0]["id"])
    if draft.version != before:
        after = {"draft": fact_id, "predicate": now.predicate.name, "object": now.object}
        record(Act("promoted", graph_name(now), now.character.graph_id, after=after), actor=by)
    return fact_id
