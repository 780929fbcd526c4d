"""One message in, one assembled prompt with its evidence out. Read this first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from characters.turn.ambient import ambient
from characters.turn.background import background
from characters.turn.documents import documents
from characters.turn.intent import Intent, classify
from characters.turn.memory import question, recall
from characters.turn.persona import choose_persona
from characters.turn.probe import Probe, fixed_reply, plan, probe
from characters.turn.prompt import Gathered, Prompt, build
from characters.turn.request import Carried, Known, Readers, TurnRequest, TurnVectors, Vectors
from characters.turn.trace import STAGES, Recorder
from characters.turn.user_facts import user_facts


@dataclass(slots=True)
class Assembled(Gathered):
    """Everything that was assembled for one message."""

    probe: Probe = field(default_factory=Probe)
    intent: Intent = field(default_factory=Intent)
    prompt: Prompt = field(default_factory=Prompt)
    carried: Carried = field(default_factory=Carried)
    """Probe results and shown items that the next request carries."""
    fixed_reply: str = ""
    """The answer to a reflex command: no model is asked, and nothing is remembered."""


def assemble(request: TurnRequest, readers: Readers, record: Recorder) -> Assembled:
    """Run the stages in order. A stage that fails leaves its empty evidence, and the turn goes on without it."""
    if reply := fixed_reply(request.message):
        return _reflex(request, reply, record)
    made = Assembled(probe=Probe(skipped="it failed"))
    vectors, message, known, memory = None, None, Known(), request.memory
    with record("probe") as stage:
        planned = plan(request)
        vectors = embed_texts(request, planned.texts, readers.embed)
        message = vectors.message
        probed, memory = probe(request, planned, vectors.probe, readers)
        made.probe = stage.keep(probed)
    with record("persona") as stage:
        made.persona = stage.keep(choose_persona(request, made.probe))
    with record("intent") as stage:
        examples = readers.examples() if vectors else {}
        made.intent = stage.keep(classify(request, made.probe, message, examples))
    with record("background") as stage:
        made.background = stage.keep(background(request, readers.background, message, made.intent))
    with record("user_facts") as stage:
        known, questions = readers.known(request) if request.person_id else known, readers.person_questions
        made.user_facts = stage.keep(user_facts(request, known, vectors, questions, made.intent, made.background))
    with record("ambient") as stage:
        made.ambient = stage.keep(ambient(request, known, readers, vectors, made.background, made.user_facts))
    with record("memory") as stage:
        made.memory = stage.keep(recall(request, readers, vectors, made.intent))
    with record("documents") as stage:
        made.documents = stage.keep(documents(request, made.probe, readers))
    with record("prompt") as stage:
        made.prompt = stage.keep(build(request, made, readers.count_tokens))
    made.carried = request.carry(memory, sorted(made.prompt.shown))
    return made


def embed_texts(request: TurnRequest, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]) -> TurnVectors:
    """Embed everything that the turn needs in one batch, each text once. Raises `StoreError`.

    Without a person there are no memories, so anchors aren't embedded.
    """
    anchors = request.sheet.anchors if request.person_id else ()
    asked = (question(request) if request.person_id else "") or request.message
    places = {text: place for place, text in enumerate(dict.fromkeys((*texts, asked, *anchors)))}
    vectors = embed(list(places))

    def rows(texts: Sequence[str]) -> Vectors:
        return vectors[[places[text] for text in texts]]

    return TurnVectors(rows(texts), vectors[places[asked]], rows(anchors))


def _reflex(request: TurnRequest, reply: str, record: Recorder) -> Assembled:
    made = Assembled(
        intent=Intent("command", "a reflex command"),
        carried=Carried(request.memory, request.shown, request.turn),
        fixed_reply=reply,
    )
    for name in STAGES[:-1]:
        with record(name) as stage:
            if name != "intent":
                setattr(made, name, replace(getattr(made, name), skipped="the command has a fixed answer"))
            stage.keep(getattr(made, name))
    return made
