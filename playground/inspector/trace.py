"""A turn's trace for reading: each stage in one line, its time against its budget."""

from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from characters.conversations.models import RUNNING, Stage, Turn
from characters.turn.sections import several
from characters.turn.trace import BUDGETS_MS, TURN_BUDGET_MS
from kgadmin.knowledge.models import KnowledgeBase
from playground.chat.pages import TurnItem
from playground.inspector.base_names import with_names
from playground.inspector.evidence import AmbientView, MemoryView, Statements, statements_of, view_of

TITLES = {
    "probe": ("Probe", "which knowledge base is this about?", "primary"),
    "persona": ("Persona", "which persona does the character take on?", "persona"),
    "intent": ("Intent", "what kind of message is this?", "identity"),
    "background": ("Background", "which facts about the character bear on it?", "background"),
    "user_facts": ("User facts", "what is known about the person, and what do both share?", "user-facts"),
    "ambient": ("Ambient", "which connections come to mind?", "connections"),
    "memory": ("Memory", "what did they say before?", "memory"),
    "documents": ("Documents", "what do the knowledge bases say?", "supplemental"),
    "prompt": ("Prompt", "what is the model sent?", "history"),
    "reply": ("Reply", "what did it answer?", "identity"),
}
"""Title, question and hue of each stage."""
ABOUT_BASES = {"probe", "persona", "documents"}
"""Stages whose evidence names knowledge bases."""
ENDING = ("state", "text", "error", "model", "first_token_ms", "reply_ms", "prompt_tokens", "completion_tokens")
"""Columns of a turn that are set at its end."""
Evidence = dict[str, Any]


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
    over: bool
    start: float
    length: float
    is_open: bool
    error: str = ""
    evidence: dict[str, Any] = field(default_factory=dict)
    view: AmbientView | MemoryView | None = None
    """Additions that the templates of some stages need beside the evidence."""

    @property
    def misses(self) -> str:
        """Return how many items were dropped, and why: "3 near misses: below 0.50 (2), background says it (1)"."""
        rows = [*self.evidence.get("dropped", []), *self.evidence.get("common_dropped", [])]
        counted = Counter(row["why"] for row in rows)
        why = ", ".join(f"{reason} ({count})" for reason, count in counted.most_common() if reason)
        return f"{len(rows)} near miss{'es' if len(rows) > 1 else ''}: {why}"

    @property
    def template(self) -> str:
        """Return the template of its evidence."""
        return f"playground/_stage_{self.name}.html"


@dataclass(frozen=True, slots=True)
class TraceView:
    """A turn's trace."""

    turn: Turn
    number: int
    stages: list[StageView]
    axis: float
    """Width of the waterfall, in milliseconds."""
    before: Turn | None = None
    after: Turn | None = None
    statements: Statements | None = None
    budget_ms: int = TURN_BUDGET_MS

    @property
    def is_missing(self) -> bool:
        """Return whether there is a reply whose trace wasn't saved."""
        return self.turn.reply is not None and not self.stages

    @property
    def failed(self) -> int:
        """Return how many stages failed."""
        return sum(stage.status == "failed" for stage in self.stages)

    @property
    def lead_ms(self) -> float:
        """Return the time before the first stage: until the conversation, the sheet and the bases were read."""
        return min((stage.start for stage in self.stages if stage.name != "reply"), default=0.0)

    @property
    def tokens_left(self) -> int:
        """Return the tokens left in the model's window."""
        return max(0, int(self.turn.prompt.get("window", 0)) - int(self.turn.prompt.get("tokens", 0)))

    @property
    def reply_stage(self) -> StageView | None:
        """Return the reply's stage, once there is one."""
        return next((stage for stage in self.stages if stage.name == "reply"), None)


def trace_in(turns: list[TurnItem], stage: str = "") -> TraceView | None:
    """The trace of the current one of these turns, with its neighbours; None if none is current.

    Open are `stage`, what failed or was slow, and the reply's where proposals can come of it.
    """
    place = next((place for place, item in enumerate(turns) if item.current), None)
    if place is None:
        return None
    turn = turns[place].turn
    axis = max(TURN_BUDGET_MS * 1.2, (turn.assembled_ms or 0.0) * 1.2)
    statements = statements_of(turn)
    open_stages = {stage, "reply"} if statements and not statements.why_not else {stage}
    rows = sorted(turn.stages.all(), key=lambda row: row.position)
    names = KnowledgeBase.objects.names()
    if turn.state in RUNNING and any(row.name == "reply" for row in rows):
        turn.refresh_from_db(fields=ENDING)  # it ended between the reading of both
    return TraceView(
        turn,
        number=place + 1,
        stages=[_stage(row, turn, axis, open_stages, names) for row in rows],
        axis=round(axis, 1),
        before=turns[place - 1].turn if place else None,
        after=turns[place + 1].turn if place + 1 < len(turns) else None,
        statements=statements,
    )


def _stage(row: Stage, turn: Turn, axis: float, open_stages: Set[str], names: Mapping[str, str]) -> StageView:
    if row.name in ABOUT_BASES:
        row.evidence = with_names(row.evidence, names)
    title, question, source = TITLES.get(row.name, (row.name.capitalize(), "", "identity"))
    budget = BUDGETS_MS.get(row.name)
    slow = row.status != "failed" and budget is not None and row.elapsed_ms > budget
    return StageView(
        name=row.name,
        title=title,
        question=question,
        source=source,
        status=row.status,
        outcome=row.error if row.status == "failed" else _outcome(row, turn),
        elapsed_ms=row.elapsed_ms,
        budget_ms=budget,
        over=slow,
        start=round(row.started_ms, 2),
        length=round(min(row.elapsed_ms, max(axis - row.started_ms, 0)), 2),
        is_open=row.name in open_stages or row.status == "failed" or slow,
        error=row.error,
        evidence=row.evidence or (turn.prompt if row.name == "prompt" else {}),
        view=view_of(row.name, row.evidence, turn),
    )


def _outcome(row: Stage, turn: Turn) -> str:
    if row.status == "skipped":
        return f"Nothing: {row.reason}"
    return _OUTCOMES[row.name](row.evidence, turn) if row.name in _OUTCOMES else ""


def _count(evidence: Evidence, key: str, noun: str) -> str:
    return several(len(evidence.get(key, [])), noun)


def _if_any(evidence: Evidence, key: str, words: str) -> str:
    return f", {len(evidence[key])} {words}" if evidence.get(key) else ""


def _probe(evidence: Evidence, turn: Turn) -> str:
    also = f", with {', '.join(evidence['supplemental'])}" if evidence.get("supplemental") else ""
    about = f"primary {evidence['primary']}{also}" if evidence.get("primary") else "no base"
    return f"{_count(evidence, 'phrases', 'phrase')}, {_count(evidence, 'hits', 'hit')}; {about}"


def _background(evidence: Evidence, turn: Turn) -> str:
    name, used, total = turn.conversation.character.name, len(evidence.get("used", [])), evidence.get("total", 0)
    return f"{used} of {name}'s {several(total, 'fact')}, from the {evidence.get('source')}"


def _user_facts(evidence: Evidence, turn: Turn) -> str:
    known = f"{several(evidence.get('total', 0), 'fact')} known about {turn.conversation.person.name}"
    return f"{len(evidence.get('used', []))} of {known}{_if_any(evidence, 'common', 'in common')}"


def _ambient(evidence: Evidence, turn: Turn) -> str:
    names = ", ".join(dict.fromkeys(entity["name"] for entity in evidence.get("named", [])))
    return f"{_count(evidence, 'used', 'connection')} of {names}{_if_any(evidence, 'dropped', 'left out')}"


def _memory(evidence: Evidence, turn: Turn) -> str:
    used = evidence.get("used", [])
    qualified = sum(bool(row.get("qualified")) for row in used)
    later = f", {qualified} with what came later" if qualified else ""
    return f"{len(used)} of {several(evidence.get('searched', 0), 'earlier message')}{later}"


def _documents(evidence: Evidence, turn: Turn) -> str:
    beside = f"{several(evidence.get('neighbours', 0), 'neighbour')} added"
    return f"{_count(evidence, 'used', 'passage')}, {beside}{_if_any(evidence, 'dropped', 'over budget')}"


def _prompt(evidence: Evidence, turn: Turn) -> str:
    tokens, window = turn.prompt.get("tokens", 0), turn.prompt.get("window", 0)
    return f"{_count(turn.prompt, 'sections', 'section')}, about {tokens:,} of {window:,} tokens"


def _reply(evidence: Evidence, turn: Turn) -> str:
    first = evidence.get("first_token_ms")
    source = "stopped" if turn.state == Turn.State.STOPPED else str(evidence.get("model") or "a fixed answer")
    if evidence.get("missing"):
        source = f"{source}, in place of {evidence['missing']}"
    return f"{source}; first token after {first:,.0f} ms" if first is not None else source


_OUTCOMES: dict[str, Callable[[Evidence, Turn], str]] = {
    "probe": _probe,
    "persona": lambda evidence, turn: f"{evidence.get('name')}. {evidence.get('rule')}",
    "intent": lambda evidence, turn: f"{str(evidence.get('kind', '')).capitalize()}: {evidence.get('rule')}",
    "background": _background,
    "user_facts": _user_facts,
    "ambient": _ambient,
    "memory": _memory,
    "documents": _documents,
    "prompt": _prompt,
    "reply": _reply,
}
