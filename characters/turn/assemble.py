"""One message in, one assembled prompt with its evidence out. Read this first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from characters.turn import memory as memory_stage
from characters.turn import probe as probe_stage
from characters.turn import prompt as prompt_stage
from characters.turn.ambient import Ambient, ambient
from characters.turn.background import Background, background
from characters.turn.documents import Documents, documents
from characters.turn.intent import Intent, classify
from characters.turn.memory import Memory
from characters.turn.persona import PersonaChoice, choose_persona
from characters.turn.probe import Probe
from characters.turn.prompt import Gathered, Prompt
from characters.turn.request import Carried, Known, Readers, TurnRequest, TurnVectors, Vectors
from characters.turn.trace import STAGES, Recorder
from characters.turn.user_facts import UserFacts, user_facts

REFLEX_REPLIES = {
    "help": "Ask me anything, or tell me something. Beside each reply you can see what it was made of.",
    "status": "I'm here and listening.",
    "exit": "Goodbye. The conversation stays where it is.",
    "list_tools": "I have no tools: I answer from what I know and what is written down for me.",
}


@dataclass(frozen=True, slots=True)
class Assembled:
    """Everything that was assembled for one message."""

    probe: Probe = field(default_factory=Probe)
    persona: PersonaChoice = field(default_factory=PersonaChoice)
    intent: Intent = field(default_factory=Intent)
    background: Background = field(default_factory=Background)
    user_facts: UserFacts = field(default_factory=UserFacts)
    ambient: Ambient = field(default_factory=Ambient)
    memory: Memory = field(default_factory=Memory)
    documents: Documents = field(default_factory=Documents)
    prompt: Prompt = field(default_factory=Prompt)
    carried: Carried = field(default_factory=Carried)
    """What the follow-up's request carries."""
    fixed_reply: str = ""
    """The answer to a reflex command: no model is asked, and nothing is remembered."""


def assemble(request: TurnRequest, readers: Readers, record: Recorder) -> Assembled:
    """Run the stages in order. A stage that fails leaves its empty evidence, and the turn goes on without it."""
    if probe_stage.is_reflex(request.message):
        return _reflex(request, record)
    vectors, message, probed = None, None, Probe(memory=request.memory, skipped="it failed")
    persona, intent = PersonaChoice(), Intent()
    known, facts, theirs = Known(), Background(), UserFacts()
    connections, memory = Ambient(), Memory()
    passages, prompt = Documents(), Prompt()

    with record("probe") as stage:
        planned = probe_stage.plan(request)
        vectors = embed_texts(request, planned.texts, readers.embed)
        message = vectors.message
        probed = stage.keep(probe_stage.probe(request, planned, vectors.probe, readers))
    with record("persona") as stage:
        persona = stage.keep(choose_persona(request, probed))
    with record("intent") as stage:
        examples = readers.examples() if vectors else {}
        intent = stage.keep(classify(request, probed, message, examples))
    with record("background") as stage:
        facts = stage.keep(background(request, readers.background, message, intent))
    with record("user_facts") as stage:
        known = readers.known(request)
        theirs = stage.keep(user_facts(request, known, vectors, readers.person_questions, intent, facts))
    with record("ambient") as stage:
        connections = stage.keep(ambient(request, known, readers, vectors, facts, theirs))
    with record("memory") as stage:
        memory = stage.keep(memory_stage.recall(request, readers, vectors, intent))
    with record("documents") as stage:
        passages = stage.keep(documents(request, probed, readers))
    gathered = Gathered(persona, facts, theirs, connections, memory, passages)
    with record("prompt") as stage:
        prompt = stage.keep(prompt_stage.build(request, gathered, readers.count_tokens))
    carried = request.carry(probed.memory, sorted(prompt.shown))
    return Assembled(probed, persona, intent, facts, theirs, connections, memory, passages, prompt, carried)


def embed_texts(request: TurnRequest, probe: Sequence[str], embed: Callable[[Sequence[str]], Vectors]) -> TurnVectors:
    """Everything that the turn needs as vectors, in one batch, each text once. Raises `StoreError`.

    Without a person nothing is remembered, and anchors weigh nothing.
    """
    anchors = request.sheet.anchors if request.person_id else ()
    question = (memory_stage.question(request) if request.person_id else "") or request.message
    places = {text: place for place, text in enumerate(dict.fromkeys((*probe, question, *anchors)))}
    vectors = embed(list(places))

    def rows(texts: Sequence[str]) -> Vectors:
        return vectors[[places[text] for text in texts]]

    return TurnVectors(rows(probe), vectors[places[question]], rows(anchors))


def _reflex(request: TurnRequest, record: Recorder) -> Assembled:
    reason = "the command has a fixed answer"
    assembled = Assembled(
        probe=Probe(skipped=reason, memory=request.memory),
        persona=PersonaChoice(skipped=reason),
        intent=Intent("command", "a reflex command"),
        background=Background(skipped=reason),
        user_facts=UserFacts(skipped=reason),
        ambient=Ambient(skipped=reason),
        memory=Memory(skipped=reason),
        documents=Documents(skipped=reason),
        prompt=Prompt(skipped=reason),
        carried=Carried(request.memory, request.shown),
        fixed_reply=REFLEX_REPLIES[request.message.strip().lower().lstrip("/")],
    )
    for name in STAGES:
        if name != "reply":
            with record(name) as stage:
                stage.keep(getattr(assembled, name))
    return assembled
