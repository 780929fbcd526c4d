"""A turn's trace, prepared for reading: what each stage did in one line, its time against its budget."""

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from characters.conversations.models import Stage, Turn
from characters.turn.trace import BUDGETS_MS, TURN_BUDGET_MS
from playground.chat.pages import TurnItem
from playground.inspector import remembering
from playground.inspector.stated import Stated, stated_in

TITLES = {
    "probe": ("Probe", "which knowledge base is this about?", "primary"),
    "persona": ("Persona", "which hat does the character put on?", "persona"),
    "intent": ("Intent", "what kind of message is this?", "identity"),
    "background": ("Background", "which facts about the character bear on it?", "background"),
    "user_facts": ("User facts", "what is known about the person, and what do both share?", "user-facts"),
    "ambient": ("Ambient", "what comes to mind by itself?", "connections"),
    "memory": ("Memory", "what did they say before?", "memory"),
    "documents": ("Documents", "what do the knowledge bases say?", "supplemental"),
    "prompt": ("Prompt", "what is the model sent?", "history"),
    "reply": ("Reply", "what did it answer?", "identity"),
}
"""Per stage its title, the question it answers, and its hue."""


@dataclass(frozen=True, slots=True)
class StageView:
    """One stage as the page shows it."""

    name: str
    title: str
    question: str
    source: str
    status: str
    outcome: str
    elapsed_ms: float
    budget_ms: int | None
    start: float
    length: float
    opened: bool
    error: str = ""
    evidence: dict[str, Any] = field(default_factory=dict)
    prepared: remembering.AmbientView | remembering.MemoryView | None = None
    """What the templates of some stages need beside the evidence."""

    @property
    def over(self) -> bool:
        """Whether it took longer than its budget."""
        return self.status == "ok" and self.budget_ms is not None and self.elapsed_ms > self.budget_ms

    @property
    def misses(self) -> str:
        """What was dropped, counted by why."""
        return remembering.near_misses([*self.evidence.get("dropped", []), *self.evidence.get("common_dropped", [])])

    @property
    def template(self) -> str:
        """The template of its evidence."""
        return f"playground/_stage_{self.name}.html"


@dataclass(frozen=True, slots=True)
class TraceView:
    """A turn's trace."""

    turn: Turn
    number: int
    stages: list[StageView]
    axis: float
    """Milliseconds that the waterfall is wide."""
    before: Turn | None = None
    after: Turn | None = None
    stated: Stated | None = None
    budget_ms: int = TURN_BUDGET_MS

    @property
    def is_missing(self) -> bool:
        """Whether there is a reply, but nothing was saved of how it came about."""
        return self.turn.reply is not None and not self.stages

    @property
    def failed(self) -> int:
        """How many stages failed."""
        return sum(stage.status == "failed" for stage in self.stages)

    @property
    def probe(self) -> dict[str, Any]:
        """The probe's evidence."""
        return next((stage.evidence for stage in self.stages if stage.name == "probe"), {})

    @property
    def cached(self) -> int:
        """Phrases that the conversation's cache answered."""
        return sum(phrase["cached"] for phrase in self.probe.get("phrases", []))

    @property
    def tokens_left(self) -> int:
        """Of the model's window."""
        return max(0, int(self.turn.prompt.get("window", 0)) - int(self.turn.prompt.get("tokens", 0)))

    @property
    def reply_stage(self) -> StageView | None:
        """The reply, once there is one."""
        return next((stage for stage in self.stages if stage.name == "reply"), None)


def trace_in(turns: list[TurnItem], opened: str = "") -> TraceView | None:
    """The trace of the current one of these turns, with its neighbours; None if none is current."""
    place = next((place for place, item in enumerate(turns) if item.current), None)
    if place is None:
        return None
    before = turns[place - 1].turn if place else None
    after = turns[place + 1].turn if place + 1 < len(turns) else None
    return trace_of(turns[place].turn, number=place + 1, opened=opened, before=before, after=after)


def trace_of(
    turn: Turn, *, number: int, opened: str = "", before: Turn | None = None, after: Turn | None = None
) -> TraceView:
    """Prepare the trace of `turn`; the stage named `opened` is open, and every stage that failed or was slow.

    So is the reply's where something may be proposed from it: that is one click.
    """
    rows = sorted(turn.stages.all(), key=lambda stage: stage.position)
    assembled = turn.assembled_ms or 0.0
    axis = max(TURN_BUDGET_MS * 1.2, assembled * 1.2)
    stated = stated_in(turn)
    always = {opened, "reply"} if stated and stated.may_propose else {opened}
    stages = [_stage(row, turn, axis, always) for row in rows]
    return TraceView(turn, number, stages, round(axis, 1), before, after, stated)


def _stage(row: Stage, turn: Turn, axis: float, opened: Set[str]) -> StageView:
    title, question, source = TITLES.get(row.name, (row.name.capitalize(), "", "identity"))
    outcome = row.error if row.status == "failed" else _outcome(row, turn)
    budget = BUDGETS_MS.get(row.name)
    slow = row.status == "ok" and budget is not None and row.elapsed_ms > budget
    return StageView(
        name=row.name,
        title=title,
        question=question,
        source=source,
        status=row.status,
        outcome=outcome,
        elapsed_ms=row.elapsed_ms,
        budget_ms=budget,
        start=round(row.started_ms, 2),
        length=round(min(row.elapsed_ms, max(axis - row.started_ms, 0)), 2),
        opened=row.name in opened or row.status == "failed" or slow,
        error=row.error,
        evidence=row.evidence,
        prepared=remembering.of_stage(row.name, row.evidence, turn),
    )


def _outcome(row: Stage, turn: Turn) -> str:
    """What the stage came to, in one line."""
    if row.status == "skipped":
        return f"Nothing: {row.reason}"
    return _OUTCOMES[row.name](row.evidence, turn) if row.name in _OUTCOMES else ""


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _probe(evidence: dict[str, Any], turn: Turn) -> str:
    phrases, hits = len(evidence.get("phrases", [])), len(evidence.get("hits", []))
    primary = evidence.get("primary")
    also = f", with {', '.join(evidence['supplemental'])}" if evidence.get("supplemental") else ""
    about = f"primary {primary}{also}" if primary else "no base"
    return f"{_many(phrases, 'phrase')}, {_many(hits, 'hit')}; {about}"


def _persona(evidence: dict[str, Any], turn: Turn) -> str:
    return f"{evidence.get('name')}. {evidence.get('rule')}"


def _intent(evidence: dict[str, Any], turn: Turn) -> str:
    return f"{str(evidence.get('kind', '')).capitalize()}: {evidence.get('rule')}"


def _background(evidence: dict[str, Any], turn: Turn) -> str:
    used, total = len(evidence.get("used", [])), evidence.get("total", 0)
    name = turn.conversation.character.name
    return f"{used} of {name}'s {total} facts, from the {evidence.get('source')}"


def _user_facts(evidence: dict[str, Any], turn: Turn) -> str:
    used, total, shared = len(evidence.get("used", [])), evidence.get("total", 0), len(evidence.get("common", []))
    common = f", {shared} in common" if shared else ""
    return f"{used} of {_many(total, 'fact')} known about {turn.conversation.person.name}{common}"


def _ambient(evidence: dict[str, Any], turn: Turn) -> str:
    used, dropped = len(evidence.get("used", [])), len(evidence.get("dropped", []))
    names = ", ".join(dict.fromkeys(each["name"] for each in evidence.get("named", [])))
    left = f", {dropped} left out" if dropped else ""
    return f"{_many(used, 'connection')} of {names}{left}"


def _memory(evidence: dict[str, Any], turn: Turn) -> str:
    used, searched = len(evidence.get("used", [])), evidence.get("searched", 0)
    qualified = sum(bool(each.get("qualified")) for each in evidence.get("used", []))
    later = f", {qualified} with what came later" if qualified else ""
    return f"{used} of {_many(searched, 'earlier message')}{later}"


def _documents(evidence: dict[str, Any], turn: Turn) -> str:
    used, dropped = len(evidence.get("used", [])), len(evidence.get("dropped", []))
    beside = evidence.get("neighbours", 0)
    left = f", {dropped} over budget" if dropped else ""
    return f"{_many(used, 'passage')}, {_many(beside, 'neighbour')} added{left}"


def _prompt(evidence: dict[str, Any], turn: Turn) -> str:
    sections = len(evidence.get("sections", []))
    return f"{sections} sections, about {evidence.get('tokens', 0):,} of {evidence.get('window', 0):,} tokens"


def _reply(evidence: dict[str, Any], turn: Turn) -> str:
    first = evidence.get("first_token_ms")
    model = evidence.get("model") or "a fixed answer"
    how = "stopped" if turn.state == Turn.State.STOPPED else model
    return f"{how}; first token after {first:,.0f} ms" if first is not None else str(how)


_OUTCOMES = {
    "probe": _probe,
    "persona": _persona,
    "intent": _intent,
    "background": _background,
    "user_facts": _user_facts,
    "ambient": _ambient,
    "memory": _memory,
    "documents": _documents,
    "prompt": _prompt,
    "reply": _reply,
}
