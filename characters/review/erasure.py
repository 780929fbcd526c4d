"""Erase what quotes a forgotten person: statements made to them alone, facts learned from those, and quotes."""

import json
from collections.abc import Collection, Iterator
from functools import reduce
from typing import Any

from django.db.models import F, Q, QuerySet

from characters.conversations.models import Conversation, Stage, Turn
from characters.memory.erasure import REMOVED
from characters.profiles.learned import services as learning
from characters.profiles.models import LearnedFact
from characters.review import decisions
from characters.review.models import Batch, BatchItem, Claim, Decision, Proposal, Verdict
from characters.review.repeats import key_of
from characters.review.tasks import judge_again
from kgadmin.accounts.models import User
from kgadmin.audit import services as audit


def forget(conversations: QuerySet[Conversation], *, by: User | None, person: int | None = None) -> None:
    """Erase what was said in these conversations; call it before they are deleted, in that transaction.

    A proposal stated only there is deleted with the fact learned from it, since both may have the person's words. One
    stated elsewhere, too, loses its quotes; if its words are found only there, its approval is undone and it takes the
    words of a remaining claim. With a `person`, details of the audit log's entries on them are emptied.
    """
    named = Proposal.objects.filter(claims__conversation__in=conversations).values("pk")
    locked = Proposal.objects.select_for_update(of=("self",)).filter(pk__in=named).order_by("pk")
    affected = list(locked.select_related("learned"))  # nobody decides on them now
    words = {proposal.pk: proposal.object for proposal in affected}
    quoting = words.keys()
    elsewhere = Claim.objects.filter(proposal__in=quoting).exclude(conversation__in=conversations)
    remaining = set(elsewhere.values_list("proposal", flat=True))
    _drop_notes(quoting)
    changed = [proposal for proposal in affected if proposal.pk not in remaining]
    learned = _learned_from(changed)
    Proposal.objects.filter(pk__in=[proposal.pk for proposal in changed]).delete()
    for proposal in (proposal for proposal in affected if proposal.pk in remaining):
        from_it = _learned_from([proposal])
        if _reword(proposal, proposal.claims.exclude(conversation__in=conversations), by):
            changed.append(proposal)
            learned |= from_it
    subjects = {proposal.subject for proposal in changed}
    characters = {proposal.character_id for proposal in affected}
    for fact in LearnedFact.objects.filter(pk__in=learned):
        _drop_from_prompts(fact)
        learning.forget(fact, by=by)  # before the quotes: no judgement quotes it from here on
    _drop_quotes(characters, quoting, names=subjects | {f"learned:{pk}" for pk in learned})
    for proposal in changed:
        items = BatchItem.objects.filter(proposal__character=proposal.character_id)
        items.filter(why__icontains=words[proposal.pk]).update(why=REMOVED)
    audit.redact_subjects([*subjects, *(f"learned:{pk}" for pk in learned)])
    if person is not None:
        audit.redact(person)


def withdraw(messages: Collection[int]) -> None:
    """Delete the undecided proposals that only these replies state; decided ones stay."""
    claims = Claim.objects.filter(message__in=messages)
    claims = claims.exclude(proposal__state__in=[Proposal.State.APPROVED, Proposal.State.REJECTED])
    touched = {pk for pk in claims.values_list("proposal", flat=True) if pk}
    claims.delete()
    Proposal.objects.filter(pk__in=touched, claims=None).delete()
    for pk in sorted(touched):
        judge_again.delay_on_commit(pk)


def _reword(proposal: Proposal, remaining: QuerySet[Claim], by: User | None) -> bool:
    """Reword a proposal by its last remaining claim, or merge it, if only erased claims have its words.

    Return whether that was so.
    """
    last = proposal.decisions.filter(verb=Decision.Verb.APPROVED, undone_at=None).first()
    stated = last.before if last and proposal.state == Proposal.State.APPROVED else proposal.__dict__
    if remaining.filter(predicate=stated["predicate"], object=stated["object"]).exists():
        return False
    if last and proposal.learned:
        decisions.undo(last, by=by)
    claim = remaining.latest("stated_at")
    key = key_of(claim.predicate, claim.object)
    same = Proposal.objects.filter(character=proposal.character_id, meaning=key).exclude(pk=proposal.pk).first()
    if same:
        remaining.update(proposal=same)
        Proposal.objects.filter(pk=same.pk).update(version=F("version") + 1)
        Proposal.objects.filter(pk=proposal.pk).delete()
        judge_again.delay_on_commit(same.pk)
        return True
    words = {"predicate": claim.predicate, "object": claim.object}
    unknown = {"vector": None, "embedder": ""}
    Proposal.objects.filter(pk=proposal.pk).update(**words, meaning=key, **unknown, version=F("version") + 1)
    for decision in proposal.decisions.all():
        Decision.objects.filter(pk=decision.pk).update(before=decision.before | words, after=decision.after | words)
    return True


def _learned_from(proposals: Collection[Proposal]) -> set[int]:
    """Return the ids of facts learned from these proposals, also where the approval was undone."""
    made = Decision.objects.filter(proposal__in=[proposal.pk for proposal in proposals])
    names = [after.get("learned", "") for after in made.values_list("after", flat=True)]
    return {int(name.partition(":")[2]) for name in names if name}


def _drop_notes(quoting: Collection[int]) -> None:
    """Empty operators' notes on these proposals, and the reasons why they couldn't be decided."""
    batches = set(Decision.objects.filter(proposal__in=quoting).exclude(batch="").values_list("batch", flat=True))
    Decision.objects.filter(Q(proposal__in=quoting) | Q(batch__in=batches)).update(note="")
    audit.redact_notes(batches, [f"proposal:{pk}" for pk in quoting])
    Batch.objects.filter(items__proposal__in=quoting).update(note="", back="")
    BatchItem.objects.filter(proposal__in=quoting).exclude(why="").update(why=REMOVED)


def _drop_from_prompts(fact: LearnedFact) -> None:
    """Remove the fact's words from the saved traces of all turns whose prompt may have held it."""
    name = fact.fact.id
    stages = Stage.objects.filter(turn__message__conversation__character=fact.character_id, name="background")
    since = stages.filter(turn__created_at__gte=fact.learned_at).values_list("turn", "evidence")
    for pk, evidence in since.iterator():
        words = {item["sentence"] for item in _mentions(evidence, name)}
        if not words:
            continue
        turn = Turn.objects.only("prompt").get(pk=pk)
        Turn.objects.filter(pk=pk).update(prompt=_without(turn.prompt, name, words))
        for stage in turn.stages.all():
            Stage.objects.filter(pk=stage.pk).update(evidence=_without(stage.evidence, name, words))


def _mentions(evidence: Any, name: str) -> Iterator[dict[str, Any]]:
    """Yield the items of a trace that hold the fact of this id."""
    if isinstance(evidence, dict) and evidence.get("id") == name:
        yield evidence
    for value in evidence.values() if isinstance(evidence, dict) else evidence if isinstance(evidence, list) else ():
        yield from _mentions(value, name)


def _without(content: Any, name: str, words: Collection[str]) -> Any:
    """Return a document without these words, and without the fact of this id."""
    if isinstance(content, str):
        return reduce(lambda text, word: text.replace(word, REMOVED), words, content)
    if isinstance(content, list):
        return [_without(each, name, words) for each in content]
    if isinstance(content, dict):
        emptied = dict.fromkeys(("object", "question"), "") if content.get("id") == name else {}
        return {key: _without(each, name, words) for key, each in content.items()} | emptied
    return content


def _drop_quotes(characters: Collection[int], quoting: Collection[int], names: Collection[str]) -> None:
    """Empty the verdicts on these proposals, and their characters' verdicts that name one of the erased."""
    touched = set(quoting)
    rows = Verdict.objects.filter(proposal__character__in=characters).exclude(proposal__in=quoting)
    for proposal, evidence in rows.values_list("proposal_id", "evidence").iterator():
        document = json.dumps(evidence) if names else ""
        if any(f'"{name}"' in document for name in names):
            touched.add(proposal)
    outcome = Verdict.Outcome.NOT_JUDGED
    Verdict.objects.filter(proposal__in=touched).update(evidence={}, summary=REMOVED, outcome=outcome)
    for pk in sorted(touched):
        judge_again.delay_on_commit(pk)
