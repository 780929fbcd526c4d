"""Fills an empty database with 10,000 open proposals, measures, and prints the times in ms as JSON.

`tests.bench.review` runs it in a process of its own, led to that database by the environment.
"""

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth.models import Group  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from characters.conversations import services as conversations  # noqa: E402
from characters.conversations.models import Conversation, Message, Turn  # noqa: E402
from characters.domain.sheet import Settings  # noqa: E402
from characters.language.claims.meaning import meaning  # noqa: E402
from characters.profiles import services as profiles  # noqa: E402
from characters.review import batches, decisions, queue, reply_reader  # noqa: E402
from characters.review.decisions import ProposalVersion  # noqa: E402
from characters.review.models import Batch, Claim, Decision, Proposal, Verdict  # noqa: E402
from kgadmin.accounts.models import User  # noqa: E402
from kgadmin.jobs import runner  # noqa: E402
from kgadmin.jobs.models import Job  # noqa: E402
from kgadmin.stores import wiring  # noqa: E402
from tests import invented  # noqa: E402
from tests.bench.figures import times, took  # noqa: E402
from tests.bench.filling import sentence  # noqa: E402

VISITS, DECIDED, TURNS = 30, 50, 30
BATCH = 500
OPEN = {"ann": 5_000, "bo": 2_500, "cy": 2_500, "dee": 0}
"""Open proposals by character."""
IN_BULK = {"ann": 300, "bo": 350, "cy": 350}
MOST_LEARNED = 500
PREDICATES = ("LOVES", "LIKES", "DISLIKES", "ADMIRES", "ENJOYS")
ASKED = "What do you like best?"
WHY = "Verdicts of chance may be bad."
Times = dict[str, list[float]]


def main() -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"llm_base_url": ""})
    call_command("migrate", verbosity=0)
    print(json.dumps(_measure()), flush=True)


def _measure() -> Times:
    wiring.embed_by_export()
    wiring.embedder().warm()
    print(f"Filled in {took(_fill) / 1000:.0f} s.", file=sys.stderr, flush=True)
    return _queue() | _turns() | _decisions() | _bulk()


def _fill() -> None:
    user = User.objects.create_user("bench")
    user.groups.set(Group.objects.filter(name__in=["operator", "tester"]))
    sheet = replace(invented.TOMASZ, settings=Settings(learning="propose", most_learned=MOST_LEARNED))
    for slug, count in OPEN.items():
        character = profiles.create_character(slug=slug, sheet=sheet, by=None)
        person = conversations.new_test_person(name=f"Friend of {slug}", by=user)
        conversation = conversations.start_conversation(character=character, by=user, person=person)
        _propose(conversation, count, random.Random(slug))


def _propose(conversation: Conversation, count: int, chance: random.Random) -> None:
    """So many proposals, each with a claim and five verdicts."""
    found = sorted({(chance.choice(PREDICATES), f"{sentence(chance, 3)} {number}") for number in range(count)})
    texts = [f"{predicate} {object}." for predicate, object in found]
    replies = Message.objects.bulk_create(
        (Message(conversation=conversation, role=Message.Role.ASSISTANT, text=text) for text in texts), BATCH
    )
    proposals = Proposal.objects.bulk_create((_proposal(conversation, *each, chance) for each in found), BATCH)
    pairs = zip(replies, proposals, strict=True)
    Claim.objects.bulk_create((_claim(*pair, conversation) for pair in pairs), BATCH)
    Verdict.objects.bulk_create((each for row in proposals for each in _verdicts(row, chance)), BATCH)


def _proposal(conversation: Conversation, predicate: str, object: str, chance: random.Random) -> Proposal:
    return Proposal(
        character=conversation.character,
        predicate=predicate,
        object=object,
        meaning=meaning(predicate, object),
        confidence=chance.random(),
        priority=chance.random(),
    )


def _claim(reply: Message, proposal: Proposal, conversation: Conversation) -> Claim:
    return Claim(
        message=reply,
        conversation=conversation,
        person=conversation.person,
        character=conversation.character,
        proposal=proposal,
        predicate=proposal.predicate,
        object=proposal.object,
        start=0,
        end=len(reply.text),
        certainty=0.9,
        stated_at=reply.at,
    )


def _verdicts(proposal: Proposal, chance: random.Random) -> Iterator[Verdict]:
    for place, check in enumerate(Verdict.Check.values):
        outcome = chance.choice(Verdict.Outcome.values)
        yield Verdict(
            proposal=proposal, check_name=check, position=place, outcome=outcome, summary="Said so.", version="1"
        )


def _queue() -> Times:
    """What the page reads, and the page."""
    user = User.objects.get(username="bench")
    filters = {
        "": queue.ProposalFilter(),
        ", by verdict": queue.ProposalFilter(character="ann", verdict="taint:bad"),
        ", by word": queue.ProposalFilter(q="the"),
    }

    def look(wanted: queue.ProposalFilter) -> None:
        list(queue.listed(user, wanted).select_related("character").prefetch_related("verdicts")[:50])
        queue.counts(user, wanted)

    found = {f"list and counts{name}": times(partial(look, wanted), VISITS) for name, wanted in filters.items()}
    client, path = Client(SERVER_NAME="127.0.0.1"), reverse("review:queue")
    client.force_login(user)
    assert client.get(path).status_code == 200
    return found | {"page": times(partial(client.get, path), VISITS)}


def _turns() -> Times:
    """What a worker does after a turn in which she says something new of herself."""
    return {f"after a turn, beside {OPEN[slug]:,} open": _after_turns(slug) for slug in ("dee", "ann")}


def _after_turns(slug: str) -> list[float]:
    chance = random.Random(5)
    conversation = Conversation.objects.get(character__slug=slug)
    quiet = conversations.start_conversation(
        character=conversation.character, by=conversation.owner, person=conversation.person
    )
    replies = []
    for _ in range(TURNS):
        turn, _ = conversations.start_turn(conversation=quiet, text=ASKED)
        turn.finish(Turn.State.DONE, f"I love {sentence(chance, 2)}.")
        assert turn.reply
        replies.append(turn.reply)
    reply_reader.read_reply(replies.pop())
    left = iter(replies)
    taken = times(lambda: reply_reader.read_reply(next(left)), TURNS - 1)
    Conversation.objects.filter(pk=quiet.pk).delete()
    return taken


def _decisions() -> Times:
    user = User.objects.get(username="bench")
    taken = iter(_seen("ann", 3 * DECIDED))
    found = {
        "approve": times(lambda: decisions.approve(next(taken), by=user, note=WHY), DECIDED),
        "reject": times(lambda: decisions.reject(next(taken), by=user, reason="vague"), DECIDED),
        "defer": times(lambda: decisions.defer(next(taken), by=user, until=None), DECIDED),
    }
    last = iter(list(Decision.objects.filter(verb="approved")))
    return found | {"undo": times(lambda: decisions.undo(next(last), by=user), DECIDED)}


def _bulk() -> Times:
    """As the page does it: in the background, with progress."""
    user = User.objects.get(username="bench")
    chosen = [seen for slug, count in IN_BULK.items() for seen in _seen(slug, count)]
    approved = batches.choose(chosen, verb=Decision.Verb.APPROVED, by=user, state="started", note=WHY, also_bad=True)
    # Words of chance may say what her sheet denies.
    taken = {"bulk of 1,000 approvals": [_done(approved, user, may_fail=0.01)]}
    return taken | {"bulk of 1,000 undone": [_done(batches.start_undo(approved.key, by=user), user)]}


def _done(batch: Batch, user: User, may_fail: float = 0.0) -> float:
    job = Job.objects.create(kind=batches.KIND, subject=batch.subject, created_by=user)
    taken = took(partial(runner.run, job.pk))
    left = batch.items.exclude(why="").values_list("why")
    assert left.count() <= may_fail * batch.items.count(), list(left)
    return taken


def _seen(slug: str, count: int) -> list[ProposalVersion]:
    rows = Proposal.objects.filter(character__slug=slug, state="open")
    return [ProposalVersion(*row) for row in rows.values_list("pk", "version")[:count]]


if __name__ == "__main__":
    main()
