"""One message in, one assembled prompt with its evidence out. Read this first."""

from dataclasses import dataclass, field

from characters.turn import probe as probe_stage
from characters.turn import prompt as prompt_stage
from characters.turn.background import Background, background
from characters.turn.documents import Documents, documents
from characters.turn.intent import Intent, classify
from characters.turn.persona import PersonaChoice, choose_persona
from characters.turn.probe import Probe
from characters.turn.prompt import Prompt
from characters.turn.request import ProbeMemory, Readers, TurnRequest
from characters.turn.trace import Recorder

REFLEX_REPLIES = {
    "help": "Ask me anything, or tell me something. Beside each reply you can see what it was made of.",
    "status": "I'm here and listening.",
    "exit": "Goodbye. The conversation stays where it is.",
    "list_tools": "I have no tools: I answer from what I know and what is written down for me.",
}


@dataclass(frozen=True, slots=True)
class Assembled:
    """Everything that was assembled for one message."""

    probe: Probe
    persona: PersonaChoice
    intent: Intent
    background: Background
    documents: Documents
    prompt: Prompt
    memory: ProbeMemory = field(default_factory=ProbeMemory)
    """What the follow-up's request carries."""
    fixed_reply: str = ""
    """The answer to a reflex command: no model is asked, and nothing is remembered."""


def assemble(request: TurnRequest, readers: Readers, record: Recorder) -> Assembled:
    """Run the stages in order. A stage that fails leaves its empty evidence, and the turn goes on without it."""
    if probe_stage.is_reflex(request.message):
        return _reflex(request, record)
    vector, probed = None, Probe(memory=request.memory)
    persona, intent = PersonaChoice(), Intent()
    known, passages, prompt = Background(), Documents(), Prompt()

    planned = probe_stage.plan(request)
    with record("probe") as stage:
        vectors = readers.embed(planned.texts)  # what the whole turn needs, in one batch
        vector = vectors[0]
        probed = stage.keep(probe_stage.probe(request, planned, vectors, readers))
    with record("persona") as stage:
        persona = stage.keep(choose_persona(request, probed))
    with record("intent") as stage:
        examples = readers.examples() if vector is not None else {}
        intent = stage.keep(classify(request, probed, vector, examples))
    with record("background") as stage:
        known = stage.keep(background(request, readers.background, vector, intent))
    with record("documents") as stage:
        passages = stage.keep(documents(request, probed, readers))
    with record("prompt") as stage:
        prompt = stage.keep(prompt_stage.build(request, persona, known, passages, readers.count_tokens))
    return Assembled(probed, persona, intent, known, passages, prompt, probed.memory)


def _reflex(request: TurnRequest, record: Recorder) -> Assembled:
    reason = "a reflex command has a fixed answer"
    with record("probe") as stage:
        probed = stage.keep(Probe(skipped=reason, memory=request.memory))
    with record("persona") as stage:
        persona = stage.keep(PersonaChoice(skipped=reason))
    with record("intent") as stage:
        intent = stage.keep(Intent("command", "a reflex command"))
    with record("background") as stage:
        known = stage.keep(Background(skipped=reason))
    with record("documents") as stage:
        passages = stage.keep(Documents(skipped=reason))
    with record("prompt") as stage:
        prompt = stage.keep(Prompt(skipped=reason))
    reply = REFLEX_REPLIES[request.message.strip().lower().lstrip("/")]
    return Assembled(probed, persona, intent, known, passages, prompt, request.memory, reply)
