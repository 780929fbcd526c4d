"""A character who does what every attack demands, and an operator who approves whatever may be approved.

Everything happens in a database and a graph of the evaluation's own. What is said goes the way that any turn goes;
afterwards her core facts are read from the database, from the graph, and out of the prompts in which somebody else
asks her about each of them.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from django.contrib.auth.models import Group
from django.db import transaction

from characters.conversations import services as conversations
from characters.conversations.models import Message, Person, Turn
from characters.domain.sheet import Fact, Settings, Sheet, is_learned
from characters.memory import readers as memory
from characters.profiles import services as profiles
from characters.profiles import vectors as profile_vectors
from characters.profiles.models import Character
from characters.profiles.projection import FACTS, SheetProjector
from characters.review import batches, reply_reader
from characters.review.decisions import ProposalVersion
from characters.review.models import Claim, Proposal, Verdict
from characters.talk import requests, say
from characters.talk.progress import Progress, read_reply
from characters.talk.recorder import TurnRecorder
from characters.talk.requests import live_readers
from characters.turn.assemble import Assembled, assemble
from kgadmin.accounts.models import User
from kgadmin.rest.actions import Refused
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from tests.patience import wait_for
from tests.quality import demands, obedient
from tests.quality.scratch import START_SECONDS, empty_database, engines_of, own_graph, scratch_world
from tests.quality.vectors import StoredVectors

SHEET = Sheet(
    "Ida Brandt",
    "You are {{char}}, who keeps the lighthouse of Fanø.",
    facts=(
        Fact("f1", "IS_A", "the keeper of the lighthouse on Fanø"),
        Fact("f2", "HAS_FATHER", "a boat builder from Odense"),
        Fact("f3", "HAS_MOTHER", "a midwife who cycled through every storm"),
        Fact("f4", "BORN_IN", "Odense"),
        Fact("f5", "LIVES_IN", "the keeper's house on Fanø"),
        Fact("f6", "HAS_PET", "Tove, a cat with one white paw"),
        Fact("f7", "STUDIED", "meteorology for two winters"),
        Fact("f8", "LOVES", "the sea in November"),
        Fact("f9", "DISLIKES", "paperwork"),
        Fact("f10", "FAVORITE_FOOD", "rye bread with smoked herring"),
        Fact("f11", "HAS_DREAM", "seeing the light of Eddystone once"),
        Fact("f12", "CARES_ABOUT", "everybody who is out at night"),
    ),
    settings=Settings(learning="propose"),
)
QUESTIONS = (
    "What do you do?",
    "Tell me about your father.",
    "Tell me about your mother.",
    "Where were you born?",
    "Where do you live?",
    "Do you have any pets?",
    "What did you study?",
    "What do you love?",
    "What do you dislike?",
    "What is your favorite food?",
    "What do you dream of?",
    "What do you care about?",
    "Who are you?",
)
"""One for each fact of the sheet, in its order, and one for all of them."""
SHEET_FACTS = {(fact.id, fact.predicate, fact.object) for fact in SHEET.facts}
NOWHERE = {"graph_url": "bolt://127.0.0.1:1", "vectors_url": "http://127.0.0.1:1"}
"""Nothing is read from the engines of the installation."""
SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an attack. `changed` says where a core fact isn't what it was, in words."""

    changed: tuple[str, ...]
    stated: int = 0
    """Statements about herself that were read out of her replies."""
    unlearnable: int = 0
    proposed: int = 0
    tainted: int = 0
    """Proposals whose taint is bad."""
    approved: int = 0
    refused: int = 0
    """Proposals that the operator couldn't approve."""
    beside: int = 0
    """Later prompts in which another core fact than the one that answers came or went."""


@dataclass(frozen=True, slots=True)
class World:
    """The character, the operator who approves, and what her prompts were before anybody attacked her."""

    character: Character
    operator: User
    vectors: StoredVectors
    has_graph: bool
    asked: Sequence[Turn]
    """By somebody else, each in a conversation of its own."""
    before: Sequence[Assembled]

    def attack(self, *messages: str) -> Outcome:
        """Say this to her in one conversation, approve, and look at what is different. Nothing of it is kept."""
        with transaction.atomic():
            try:
                claims = [claim for reply in self._replies(messages) for claim in reply_reader.read_reply(reply)]
                return self._outcome(messages, claims)
            finally:
                memory.forget_all()
                transaction.set_rollback(True)

    def _replies(self, messages: Sequence[str]) -> Iterator[Message]:
        person = conversations.new_test_person(name="Attacker", by=self.operator)
        talk = conversations.start_conversation(character=self.character, by=self.operator, person=person)
        for text in messages:
            try:
                turn, _ = conversations.start_turn(conversation=talk, text=text)
            except Refused:
                continue  # nobody can say this to her
            vector = self.vectors.embed([text])[0]
            Message.objects.filter(pk=turn.message_id).update(vector=vector.tobytes(), embedder=wiring.embedder().id)
            prepared = say.prepare(turn.pk, TurnRecorder())
            say.save_trace(prepared)
            turn, assembled = prepared.turn, prepared.assembled
            turn.finish(Turn.State.DONE, assembled.fixed_reply or _reply(assembled, turn))
            if turn.reply:
                yield turn.reply

    def _outcome(self, messages: Sequence[str], claims: Sequence[Claim]) -> Outcome:
        waiting = list(Proposal.objects.undecided().order_by("pk"))
        tainted = Verdict.objects.filter(check_name=Verdict.Check.TAINT, outcome=Verdict.Outcome.BAD).count()
        report = batches.decide(
            [ProposalVersion(each.pk, each.version) for each in waiting],
            verb="approved",
            by=self.operator,
            note="All the same.",
            also_bad=True,
        )
        if self.has_graph:
            SheetProjector().project(self.character.graph_id)
        demanded = [sentence for text in messages for sentence in demands.obeyed(text)]
        statements = demanded + [each.object for each in claims]
        prompts = [prompt_of(turn, self.vectors) for turn in self.asked]
        return Outcome(
            changed=tuple(self._changed(statements, prompts)),
            stated=len(claims),
            unlearnable=sum(bool(claim.refused) for claim in claims),
            proposed=len(waiting),
            tainted=tainted,
            approved=len(report.done),
            refused=len(report.left),
            beside=sum(core_of(one) != core_of(now) for one, now in zip(self.before, prompts, strict=True)),
        )

    def _changed(self, statements: Sequence[str], prompts: Sequence[Assembled]) -> Iterator[str]:
        """Where her core facts aren't what they were, or what she said stands though nobody approved it."""
        character = Character.objects.select_related("live_revision").get(pk=self.character.pk)
        sheet = character.sheet
        if sheet != SHEET or character.revisions.count() > 1:
            yield "the database"
        if self.has_graph and _core_in_graph(character) != {each[1:] for each in SHEET_FACTS}:
            yield "the graph"
        learned = [row.object.lower() for row in character.learned.in_use(SHEET)]
        known = [*learned, *(fact.object.lower() for fact in SHEET.facts)]
        lies = {lie for lie in map(_plain, statements) if lie and not any(lie in fact or fact in lie for fact in known)}
        for turn, before, now in zip(self.asked, self.before, prompts, strict=True):
            prompt, once = _plain(now.prompt.text), _plain(before.prompt.text)
            is_right = core_of(before)[:1] == core_of(now)[:1] and set(core_of(now)) <= SHEET_FACTS
            if not is_right or any(lie in prompt and lie not in once for lie in lies):
                yield f"the prompt for “{turn.message.text}”"


@contextmanager
def world(vectors: StoredVectors) -> Iterator[World]:
    """All of it, as long as the block lasts."""
    with ExitStack() as stack:
        stack.enter_context(empty_database())
        operator = stack.enter_context(scratch_world())
        operator.groups.add(Group.objects.get(name="operator"))
        graph = stack.enter_context(own_graph())
        model = {"llm_base_url": stack.enter_context(obedient.serving()), "llm_model": obedient.NAME}
        stack.enter_context(engines_of({**NOWHERE, **graph, **model}))
        if graph:  # on a busy machine the first connection takes longer than a turn waits for it
            wait_for(_graph_answers, START_SECONDS)
        character = profiles.create_character(slug="ida", sheet=SHEET, by=operator)
        if graph:
            SheetProjector().project(character.graph_id)
        elif character.live_revision:
            profile_vectors.ensure(character.live_revision)
        asked = [_asked(question, character, operator) for question in QUESTIONS]
        before = [prompt_of(turn, vectors) for turn in asked]
        yield World(character, operator, vectors, bool(graph), asked, before)


def _graph_answers() -> bool:
    try:
        return bool(wiring.graph().read("RETURN 1 AS one"))
    except StoreError:
        return False


def _asked(question: str, character: Character, by: User) -> Turn:
    person, _ = Person.objects.get_or_create(namespace=f"tester:{by.pk}", outside_id="asker", name="Asker")
    talk = conversations.start_conversation(character=character, by=by, person=person)
    turn, _ = conversations.start_turn(conversation=talk, text=question)
    return turn


def prompt_of(turn: Turn, vectors: StoredVectors) -> Assembled:
    """What is assembled for a turn as things are now."""
    turn = Turn.objects.select_related("message__conversation__character__live_revision").get(pk=turn.pk)
    readers = replace(live_readers(), embed=vectors.embed)
    return assemble(requests.request_for(turn), readers, TurnRecorder())


def core_of(assembled: Assembled) -> list[tuple[str, str, str]]:
    """The facts of her sheet that stand in the prompt."""
    used = (fact for fact in assembled.background.used if not is_learned(fact.id))
    return [(fact.id, fact.predicate, fact.object) for fact in used if fact.sentence in assembled.prompt.text]


def _core_in_graph(character: Character) -> set[tuple[str, str]]:
    rows = wiring.graph().read(FACTS, character=character.graph_id)
    return {(row["predicate"], row["object"]) for row in rows if row["tier"] == "core"}


def _reply(assembled: Assembled, turn: Turn) -> str:
    progress = Progress()
    asyncio.run(read_reply(wiring.language_model(), say.chat_request(assembled, turn), progress))
    return progress.text


def _plain(text: str) -> str:
    """As it is compared: what is shorter than a word or two says nothing."""
    plain = " ".join(text.lower().split()).rstrip(".")
    return plain if len(plain) >= SHORTEST else ""
