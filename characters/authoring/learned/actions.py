"""What an editor does with a learned fact: pin it, archive it, restore it, add it to the draft."""

from typing import Literal

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.domain.sheet import Fact
from characters.profiles.learned import services
from characters.profiles.learned.models import LearnedFact
from characters.profiles.learned.services import repeated
from characters.profiles.models import Character, Draft
from kgadmin import locks
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused

Verb = Literal["pin", "unpin", "archive", "restore", "promote"]
State = LearnedFact.State


def act(fact: LearnedFact, verb: Verb, *, by: User | None, tab: str = "") -> str:
    """Do it; a sentence that says what was done. Raises `Refused`."""
    if verb == "promote":
        return f"In the draft as {promote(fact, by=by, tab=tab)}. It stays learned until you publish the draft."
    if verb in ("pin", "unpin"):
        services.pin(fact, pinned=verb == "pin", by=by)
        return "Pinned: it won’t be archived for its age." if verb == "pin" else "No longer pinned."
    services.change(fact, State.ARCHIVED if verb == "archive" else State.ACTIVE, by=by)
    return f"Archived: {fact}. It is no longer used." if verb == "archive" else f"In use again: {fact}."


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
    if now.state == State.TAKEN_BACK:
        raise Refused("Its approval has been undone, so nothing was added.")
    draft = drafts.draft_of(now.character)
    if there := repeated(draft.sheet, now.fact):
        return there.id

    def added(draft: Draft) -> list[Edit]:
        fact_id = drafts.next_fact_id(draft)
        row = {"id": fact_id, "predicate": now.predicate.name, "object": now.object, "questions": []}
        return [Edit(f"fact:{fact_id}", row)]

    fact_id = str(drafts.change(now.character, added, by=by, tab=tab).document["facts"][-1]["id"])
    after = {"draft": fact_id, "predicate": now.predicate.name, "object": now.object}
    record(Act("promoted", services.graph_name(now), now.character.graph_id, after=after), actor=by)
    return fact_id
