"""The audit log, replayed: it must end in what the rows of proposals, decisions and learned facts say."""

from collections import Counter
from typing import Any

from characters.profiles.learned.services import contradicted
from characters.profiles.models import Character, LearnedFact, Predicate
from characters.review.models import UNDECIDED, Decision, Proposal
from kgadmin.audit.models import Entry

State = LearnedFact.State
Values = dict[str, Any]


def assert_consistent() -> None:
    """Every row is in the state in which the log leaves it, and each change of the log begins where the last ended."""
    proposals, facts = _replayed()
    for proposal in Proposal.objects.select_related("learned"):
        assert proposals.get(proposal.subject, _as_made(proposal)) == _values(proposal)
        _assert_decisions(proposal)
    assert {f"learned:{fact.pk}": fact.state for fact in LearnedFact.objects.all()} == facts
    for character in Character.objects.all():
        _assert_learned(character)


def _replayed() -> tuple[dict[str, Values], dict[str, str]]:
    proposals: dict[str, Values] = {}
    facts: dict[str, str] = {}
    for entry in Entry.objects.exclude(verb="published").select_related("detail").order_by("pk"):
        before, after = entry.detail.before, entry.detail.after
        if entry.subject.startswith("learned:"):
            assert facts[entry.subject] == before["state"], f"{entry}: {before}"
            facts[entry.subject] = after["state"]
            continue
        assert before == proposals.get(entry.subject, before), f"{entry}: {before}"
        proposals[entry.subject] = after
        if entry.verb == "approved":
            assert after["learned"] not in facts
            facts[after["learned"]] = State.ACTIVE
    return proposals, facts


def _values(proposal: Proposal) -> Values:
    learned = {"learned": f"learned:{proposal.learned.pk}"} if proposal.learned else {}
    return {"state": proposal.state, "predicate": proposal.predicate, "object": proposal.object, **learned}


def _as_made(proposal: Proposal) -> Values:
    return _values(proposal) | {"state": "open"}


def _assert_decisions(proposal: Proposal) -> None:
    """The last decision stands, or the proposal is open; the log has each of them once, and each undoing."""
    decisions = list(proposal.decisions.order_by("pk"))
    entries = Entry.objects.filter(subject=proposal.subject).exclude(verb="undid").order_by("pk")
    assert [entry.verb for entry in entries] == [each.verb for each in decisions]
    undone = [bool(entry.undone_by.count()) for entry in entries]
    assert undone == [each.undone_at is not None for each in decisions]
    assert Entry.objects.filter(subject=proposal.subject, verb="undid").count() == sum(undone)
    stands = bool(decisions) and decisions[-1].undone_at is None
    assert proposal.state == (decisions[-1].verb if stands else "open")
    assert (proposal.decided_at is not None) == stands
    assert (proposal.learned is not None) == (proposal.state == Decision.Verb.APPROVED)


def _assert_learned(character: Character) -> None:
    """What she learned was approved, each proposal once, and nothing of it is denied by her sheet."""
    used = LearnedFact.objects.active().filter(character=character).select_related("predicate", "proposal")
    assert all(fact.proposal.state not in UNDECIDED for fact in used)
    sheet, registry = character.sheet, Predicate.objects.registry()
    assert [fact for fact in used if sheet and any(contradicted(sheet.facts, fact.fact, registry))] == []
    assert max(Counter(fact.proposal.pk for fact in used).values(), default=1) == 1
