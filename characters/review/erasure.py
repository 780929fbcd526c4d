"""What goes when somebody is forgotten: what was said to them alone, what was learned from that, and quotes."""

import json
from collections.abc import Collection, Iterator
from functools import reduce
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from characters.conversations.models import Conversation, Stage, Turn
from characters.profiles.learned import services as learning
from characters.profiles.learned.models import LearnedFact
from characters.review import decisions
from characters.review.models import Batch, BatchItem, Claim, Decision, Proposal, Verdict, subject_of_proposal
from characters.review.repeats import key_of
from characters.review.tasks import judge_again
from kgadmin.accounts.models import User
from kgadmin.audit import services as audit

REMOVED = "It quoted somebody who was forgotten."


def forget(conversations: QuerySet[Conversation], *, by: User | None, person: int | None = None) -> None:
    """Take away what was said in these conversations; call it before they are deleted, in that transaction.

    What was said nowhere else goes whole, with the fact that was learned from it: nobody can tell whose words are in
    it. Of what was said elsewhere too, the quotes go, and it is put as it was said there; where that is another way
    than an operator approved, the approval is taken back. With a `person` the log is emptied of what concerns them.
    """
    named = Proposal.objects.filter(claims__conversation__in=conversations).values("pk")
    held = Proposal.objects.select_for_update(of=("self",)).filter(pk__in=named).order_by("pk")  # nobody decides now
    said_here = list(held.select_related("learned"))
    elsewhere = Claim.objects.filter(proposal=OuterRef("pk")).exclude(conversation__in=conversations)
    gone = [proposal for proposal in said_here if not _is_in(elsewhere, proposal)]
    _drop_notes([proposal.pk for proposal in said_here])
    words = {proposal.pk: proposal.object for proposal in said_here}
    learned = _learned_from(gone)
    went = [proposal.pk for proposal in gone]
    Proposal.objects.filter(pk__in=went).delete()
    reworded = []
    for proposal in (each for each in said_here if each not in gone):
        from_it = _learned_from([proposal])
        if _reword(proposal, proposal.claims.exclude(conversation__in=conversations), by):
            reworded.append(proposal)
            learned |= from_it
    subjects = {subject_of_proposal(pk) for pk in (*went, *(proposal.pk for proposal in reworded))}
    characters = {proposal.character_id for proposal in said_here}
    quoting = {proposal.pk for proposal in said_here}
    for fact in LearnedFact.objects.filter(pk__in=learned):
        _drop_from_prompts(fact)
        learning.forget(fact, by=by)  # before the quotes: no judgement quotes it from here on
    _drop_quotes(characters, quoting, names=subjects | {f"learned:{pk}" for pk in learned})
    for proposal in (*gone, *reworded):
        told = BatchItem.objects.filter(proposal__character=proposal.character_id, why__icontains=words[proposal.pk])
        told.update(why=REMOVED)
    audit.redact_subjects([*subjects, *(f"learned:{pk}" for pk in learned)])
    if person is not None:
        audit.redact(person)


def withdraw(messages: Collection[int]) -> None:
    """Take away what waits because of these replies alone; what was decided stays, and says that it is left alone."""
    claims = Claim.objects.filter(message__in=messages)
    claims = claims.exclude(proposal__state__in=[Proposal.State.APPROVED, Proposal.State.REJECTED])
    touched = {pk for pk in claims.values_list("proposal", flat=True) if pk}
    claims.delete()
    Proposal.objects.filter(pk__in=touched, claims=None).delete()
    for pk in sorted(touched):
        judge_again.delay_on_commit(pk)


def _reword(proposal: Proposal, left: QuerySet[Claim], by: User | None) -> bool:
    """Put it in the words of what is left, where it has those of what goes; whether it had them."""
    last = proposal.decisions.filter(verb=Decision.Verb.APPROVED, undone_at=None).first()
    said = last.before if last and proposal.state == Proposal.State.APPROVED else proposal.__dict__
    if left.filter(predicate=said["predicate"], object=said["object"]).exists():
        return False
    if last and proposal.learned:
        decisions.undo(last, by=by)
    claim = left.latest("said_at")
    key = key_of(claim.predicate, claim.object)
    same = Proposal.objects.filter(character=proposal.character_id, meaning=key).exclude(pk=proposal.pk).first()
    if same:
        left.update(proposal=same)
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
    """The facts that were learned from these, also those whose approval was undone."""
    made = Decision.objects.filter(proposal__in=[proposal.pk for proposal in proposals])
    names = [after.get("learned", "") for after in made.values_list("after", flat=True)]
    return {int(name.partition(":")[2]) for name in names if name}


def _is_in(elsewhere: QuerySet[Claim], proposal: Proposal) -> bool:
    return Proposal.objects.filter(Exists(elsewhere), pk=proposal.pk).exists()


def _drop_notes(quoting: Collection[int]) -> None:
    """Empty what operators wrote when they decided on these, and why that couldn't be done."""
    batches = set(Decision.objects.filter(proposal__in=quoting).exclude(batch="").values_list("batch", flat=True))
    Decision.objects.filter(Q(proposal__in=quoting) | Q(batch__in=batches)).update(note="")
    audit.redact_notes(batches, [subject_of_proposal(pk) for pk in quoting])
    Batch.objects.filter(items__proposal__in=quoting).update(note="", back="")
    BatchItem.objects.filter(proposal__in=quoting).exclude(why="").update(why=REMOVED)


def _drop_from_prompts(fact: LearnedFact) -> None:
    """Take its words out of what is kept of turns, anybody's, whose prompt could tell it."""
    name = fact.fact.id
    stages = Stage.objects.filter(turn__message__conversation__character=fact.character_id, name="background")
    since = stages.filter(turn__created_at__gte=fact.learned_at).values_list("turn", "evidence")
    for pk, evidence in since.iterator():
        words = {each["sentence"] for each in _told(evidence, name)}
        if not words:
            continue
        turn = Turn.objects.only("prompt").get(pk=pk)
        Turn.objects.filter(pk=pk).update(prompt=_without(turn.prompt, name, words))
        for stage in turn.stages.all():
            Stage.objects.filter(pk=stage.pk).update(evidence=_without(stage.evidence, name, words))


def _told(evidence: Any, name: str) -> Iterator[dict[str, Any]]:
    """What a trace holds of the fact of this id."""
    if isinstance(evidence, dict) and evidence.get("id") == name:
        yield evidence
    for each in evidence.values() if isinstance(evidence, dict) else evidence if isinstance(evidence, list) else ():
        yield from _told(each, name)


def _without(content: Any, name: str, words: Collection[str]) -> Any:
    """A document without these words, and without any of the fact of this id."""
    if isinstance(content, str):
        return reduce(lambda text, word: text.replace(word, REMOVED), words, content)
    if isinstance(content, list):
        return [_without(each, name, words) for each in content]
    if isinstance(content, dict):
        emptied = dict.fromkeys(("object", "question"), "") if content.get("id") == name else {}
        return {key: _without(each, name, words) for key, each in content.items()} | emptied
    return content


def _drop_quotes(characters: Collection[int], quoting: Collection[int], names: Collection[str]) -> None:
    """Empty the verdicts on these proposals, and those of their character that name one which goes."""
    touched = set(quoting)
    rows = Verdict.objects.filter(proposal__character__in=characters).exclude(proposal__in=quoting)
    for proposal, evidence in rows.values_list("proposal_id", "evidence").iterator():
        told = json.dumps(evidence) if names else ""
        if any(f'"{name}"' in told for name in names):
            touched.add(proposal)
    outcome = Verdict.Outcome.NOT_JUDGED
    Verdict.objects.filter(proposal__in=touched).update(evidence={}, summary=REMOVED, outcome=outcome)
    for pk in sorted(touched):
        judge_again.delay_on_commit(pk)
