"""Proposals as the gate leaves them, each said in a conversation: run inside the program's shell by `test_review`."""

from typing import Any

from characters.conversations.models import Acquaintance, Conversation, Message, Person, Turn
from characters.profiles.learned import services as learning
from characters.profiles.models import Character, LearnedFact
from characters.review.models import Claim, Proposal, Verdict
from kgadmin.accounts.models import User

THINGS = (
    "diving at Bird Rock before breakfast",
    "sea glass in a jar by the window",
    "black coffee from a dented thermos",
    "the smell of kelp after a storm",
    "old tide tables",
    "small harbours in the fog",
    "staghorn coral",
    "counting urchins",
    "paper charts",
    "the first cold week of autumn",
    "the cove at Ashby",
    "the cove at Birk",
)
PEOPLE = ("Bea", "Cyril", "Dana")
GOOD = {
    "taint": "Not elicited: no dictation, no leading question.",
    "duplicate": "Nearest 0.62: I love the sea.",
    "contradiction": "No contradiction found.",
    "validation": "No language model is connected.",
    "confidence": "0.93; 0.90 is needed. Said to 1 person.",
}
AT_THE_RESTAURANT = "I spend Sunday mornings at the family restaurant."
Judged = tuple[str, str, dict[str, Any]]


def make(count: int) -> list[int]:
    """So many, at most twelve, and no others; nothing stays learned. Their ids, as the queue has them."""
    Proposal.objects.all().delete()
    elena = Character.objects.get(slug="elena")
    for fact in elena.learned.all():
        learning.change(fact, LearnedFact.State.TAKEN_BACK, by=None)  # so that the graph follows
    made: list[Proposal] = []
    for number in range(count):
        made.append(_proposal(elena, number))
        claim = _stated(elena, made[-1], PEOPLE[number % len(PEOPLE)])
        for place, check in enumerate(GOOD):
            outcome, summary, evidence = _judged(check, number, claim, made)
            values = {"outcome": outcome, "summary": summary, "evidence": evidence, "version": "1"}
            Verdict.objects.create(proposal=made[-1], check_name=check, position=place, **values)
    return [row.pk for row in made]


def _proposal(elena: Character, number: int) -> Proposal:
    thing = THINGS[number]
    values = {"confidence": 0.97 - number / 200, "priority": 1 - number / 1000}
    return Proposal.objects.create(character=elena, predicate="LOVES", object=thing, meaning=f"LOVES {thing}", **values)


def _stated(elena: Character, proposal: Proposal, name: str) -> Claim:
    person, _ = Person.objects.get_or_create(
        namespace="tester:all", outside_id=f"review-{name}", defaults={"name": name}
    )
    Acquaintance.objects.get_or_create(person=person, character=elena)
    tester = User.objects.get(username="tester")
    talk = Conversation.objects.create(person=person, character=elena, owner=tester, title="Weekends")
    text = f"Sundays are mine. I love {proposal.object}, and then I smell of kelp for the rest of the day."
    texts = ("The office, mostly.", "Do you ever get in the water on your days off?", text, "That sounds cold.")
    rows: list[Message] = []
    for place, words in enumerate(texts):
        role = "user" if place % 2 else "assistant"
        parent = rows[-1] if rows else None
        rows.append(Message.objects.create(conversation=talk, role=role, parent=parent, text=words))
    _, asked, reply, _ = rows
    key, model = f"review-{reply.pk}", "qwen3-14b-instruct"
    turn = Turn.objects.create(message=asked, reply=reply, key=key, state="done", text=text, model=model)
    start, end = text.index("I love"), text.index(", and")
    return Claim.objects.create(
        message=reply, turn=turn, conversation=talk, person=person, character=elena, proposal=proposal, start=start,
        end=end, predicate=proposal.predicate, object=proposal.object, certainty=0.9, stated_at=reply.at,
    )  # fmt: skip


def _judged(check: str, number: int, claim: Claim, made: list[Proposal]) -> Judged:
    """Most are good; some were led, some contradict a fact and the proposal before them."""
    if check == "validation":
        return "not judged", GOOD[check], {}
    if check == "confidence":
        parts = {"certainty": 0.9, "hedged": False, "people": 1, "needed": 0.9}
        return "good", GOOD[check], {"value": made[-1].confidence, "parts": parts}
    if check == "taint" and number % 4 == 1 and claim.message.parent:
        sentence = "asked for it: “days off”"
        reasons = [{"kind": "leading", "message": claim.message.parent.graph_id, "sentence": sentence}]
        return "warn", sentence, {"reasons": reasons}
    if check == "contradiction" and number % 4 == 2:
        before = made[-2]
        fact = _conflict("core", "f1", "HAS_HABIT", AT_THE_RESTAURANT, "both on Sundays")
        other = _conflict("proposal", before.subject, "LOVES", str(before), "one of two")
        return "bad", f"Contradicts: {AT_THE_RESTAURANT}", {"conflicts": [fact, other]}
    return "good", GOOD[check], {}


def _conflict(kind: str, id: str, predicate: str, sentence: str, why: str) -> dict[str, str]:
    return {"kind": kind, "id": id, "predicate": predicate, "sentence": sentence, "why": why}
