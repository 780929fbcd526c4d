"""Additions to a trace's saved evidence: a drawn graph, scores by parts, links, and the reply's statements."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Max
from django.urls import reverse

from characters.conversations.models import Memory, Message, Turn
from characters.domain.relations import CLASSES
from characters.language.gate import taint
from characters.people import drawing
from characters.review import transcripts
from characters.review.models import Claim, Proposal
from characters.review.reply_reader import PROPOSE
from characters.turn import ambient
from kgadmin.stores import offline

_LABELS = ("Named", "Recent", "Often", "Trust", "New", "Anchor")
PARTS = tuple((name, label, ambient.WEIGHTS[name]) for name, label in zip(ambient.WEIGHTS, _LABELS, strict=True))
SAME = 0.005
"""Difference from its parts' sum below which a score wasn't weighted by its predicate's family."""

STATES = {
    Proposal.State.OPEN: "waiting for an operator",
    Proposal.State.DEFERRED: "was deferred by an operator",
    Proposal.State.APPROVED: "was approved, and is learned",
    Proposal.State.REJECTED: "was rejected by an operator",
}
SHOWN = 3

Row = Mapping[str, Any]
"""A dataclass of a stage's evidence as JSON."""


@dataclass(frozen=True, slots=True)
class ConnectionView:
    """A connection with its score's parts in the order of `PARTS`."""

    row: Row
    parts: list[tuple[str, float]]
    factor: float | None
    """Weight of its predicate's family for this character; None if unchanged."""


@dataclass(frozen=True, slots=True)
class AmbientView:
    """The stage `ambient`."""

    used: list[ConnectionView]
    dropped: list[ConnectionView]
    links: list[tuple[str, str]]
    """Names of the person's entities in the message, each with the page that explores it."""
    picture: drawing.Drawing | None
    parts: Sequence[tuple[str, str, float]] = PARTS


@dataclass(frozen=True, slots=True)
class Later:
    """A later message, and its relation to the recollection: "but later"."""

    row: Row
    words: str
    address: str


@dataclass(frozen=True, slots=True)
class RecollectionView:
    """An earlier message; `address` is empty if it is gone."""

    row: Row
    address: str
    later: list[Later]


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The stage `memory`."""

    used: list[RecollectionView]
    dropped: list[RecollectionView]


def view_of(stage: str, evidence: Row, turn: Turn) -> AmbientView | MemoryView | None:
    """Return what a stage's template needs beside its evidence."""
    if stage == "ambient" and evidence:
        return _ambient(evidence, turn)
    return _memory(evidence) if stage == "memory" and evidence else None


def _ambient(evidence: Row, turn: Turn) -> AmbientView:
    used, dropped = ([_connection(row) for row in evidence.get(key, [])] for key in ("used", "dropped"))
    page, slug = reverse("people:explore", args=[turn.conversation.person_id]), turn.conversation.character.slug
    theirs = {row["id"]: row["name"] for row in evidence.get("named", []) if row["whose"] == "person"}
    links = [
        (name, f"{page}?{urlencode({'character': slug, 'about': id_.partition(':')[2]})}")
        for id_, name in theirs.items()
    ]
    return AmbientView(used, dropped, links, _picture(evidence, turn))


def _connection(row: Row) -> ConnectionView:
    parts = ambient.ScoreParts(**row["parts"])
    factor = row["score"] / parts.score if parts.score and abs(row["score"] - parts.score) > SAME else None
    return ConnectionView(row, [(label, row["parts"][name]) for name, label, _ in PARTS], factor)


def _picture(evidence: Row, turn: Turn) -> drawing.Drawing | None:
    """Return the connections as a graph around the message's entities; faint if they were dropped."""
    nodes = [drawing.Node(row["id"], row["name"], row["kind"], row["named"]) for row in evidence.get("nodes", [])]
    edges = [_edge(row) for key in ("used", "dropped") for row in evidence.get(key, [])]
    if not edges:
        return None
    named = {row["id"]: row["name"] for row in evidence.get("named", [])}
    title = f"What is connected with {', '.join(dict.fromkeys(named.values()))}"
    return drawing.layout(nodes, edges, list(named), id_=f"ambient-{turn.pk}", title=title)


def _edge(row: Row) -> drawing.Edge:
    words = row["predicate"].lower().replace("_", " ")
    sentence = row["sentence"] if not row["why"] else f"Dropped, {row['why']}: {row['sentence']}"
    return drawing.Edge(row["id"], row["subject"], words, row["object"], used=not row["why"], sentence=sentence)


def _memory(evidence: Row) -> MemoryView:
    used, dropped = evidence.get("used", []), evidence.get("dropped", [])
    later = [message for row in (*used, *dropped) for message in row.get("qualified", [])]
    addresses = _addresses([row["id"] for row in (*used, *dropped, *later)])
    return MemoryView(*([_recollection(row, addresses) for row in rows] for rows in (used, dropped)))


def _recollection(row: Row, addresses: Mapping[str, str]) -> RecollectionView:
    later = [
        Later(message, _words(message["relation"]), addresses.get(message["id"], ""))
        for message in row.get("qualified", [])
    ]
    return RecollectionView(row, addresses.get(row["id"], ""), later)


def _words(relation: str) -> str:
    known = next((class_ for name, class_ in CLASSES.items() if name == relation), None)
    return (known.words if known else "") or relation.lower()


def _addresses(ids: Iterable[str]) -> dict[str, str]:
    """Return the address of each message's last turn, or its place in its conversation if it was imported."""
    keys = {int(key) for kind, _, key in (id_.partition(":") for id_ in ids) if kind == "message" and key.isdecimal()}
    rows = Message.objects.filter(pk__in=keys).values_list("pk", "conversation", "conversation__person")
    return {f"message:{row[0]}": _address(*row) for row in rows.annotate(Max("turns"))}


def _address(message: int, conversation: int, person: int, turn: int | None) -> str:
    if turn:
        return reverse("playground:turn", args=[turn])
    return f"{reverse('people:conversation', args=[person, conversation])}?message={message}#message-{message}"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the character about themself: the words, how they were read, and the outcome."""

    words: str
    predicate: str
    object: str
    outcome: str
    proposal: int | None


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a reply. `elicited` says how the person elicited them; `withheld`, what isn't quoted."""

    rows: tuple[Statement, ...]
    elicited: tuple[str, ...]
    withheld: str
    unexamined: bool
    why_not: str
    """Why there can be no proposal; empty if there can."""


def statements_of(turn: Turn) -> Statements | None:
    """Return the statements of the turn's reply; None without a remembered reply."""
    reply = turn.reply
    if reply is None or not reply.is_in_history:
        return None
    rows = Claim.objects.filter(message=reply).select_related("proposal").prefetch_related("proposal__verdicts")
    claims = list(rows.order_by("start"))
    return Statements(
        rows=tuple(_statement(claim, reply) for claim in claims),
        elicited=_elicited(turn, claims),
        withheld=_withheld(turn.message, reply),
        unexamined=reply.memory == Memory.WAITING,
        why_not=_why_not(turn),
    )


def _statement(claim: Claim, reply: Message) -> Statement:
    outcome = claim.refused or STATES[Proposal.State(claim.proposal.state)] if claim.proposal else claim.refused
    words = reply.text[claim.start : claim.end]
    return Statement(words, claim.predicate, claim.object, outcome, claim.proposal_id)


def _elicited(turn: Turn, claims: list[Claim]) -> tuple[str, ...]:
    """Return how it was elicited: what the message attempts, and what the gate found about the statements."""
    reasons = [reason.sentence for reason in taint.attempts(transcripts.as_recorded(turn.message))]
    reply = turn.reply.graph_id if turn.reply else ""
    for claim in claims:
        for verdict in claim.proposal.verdicts.all() if claim.proposal else ():
            evidence = verdict.evidence.get("reasons", [])  # only that of taint has any
            reasons += [reason["sentence"] for reason in evidence if reason.get("reply", reply) == reply]
    return tuple(dict.fromkeys(reasons))[:SHOWN]


def _withheld(message: Message, reply: Message) -> str:
    if message.memory == Memory.WITHHELD:
        return "Neither the message nor the reply is remembered."
    if reply.memory == Memory.WITHHELD:
        return "This reply is never recalled: its statement about the character isn't on the sheet."
    return ""


def _why_not(turn: Turn) -> str:
    conversation = turn.conversation
    sheet = conversation.character.sheet
    if conversation.sandbox:
        return "A sandbox creates no proposals."
    if turn.model == offline.NAME:
        return "The offline responder only repeats the assembled context, so there is nothing to learn."
    if sheet is None or sheet.settings.learning != PROPOSE:
        return f"{conversation.character.name} doesn't learn: learning is off in the settings."
    return ""
