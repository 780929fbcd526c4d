"""Turn the statements of a reply into proposals: read, save and judge them, for an operator to decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from characters.conversations.models import Message, Turn
from characters.domain import sheet as values
from characters.domain.sheet import Fact, Sheet
from characters.language.claims import patterns
from characters.language.claims.meaning import is_stated_by
from characters.language.claims.patterns import Claim as Statement
from characters.language.gate.taint import Taint
from characters.profiles.models import Character, Predicate
from characters.review import decisions
from characters.review.claims import by_model
from characters.review.judgement import judge
from characters.review.models import Claim, Proposal
from characters.review.repeats import key_of, proposal_of
from characters.review.transcripts import ConversationContext
from characters.review.verdicts.comparison import fact_sentence
from kgadmin.stores import offline, wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import AnswerError

PROPOSE = "propose"
ELSEWHERE = "Imported: no turn of this program wrote it"
KNOWN = "The sheet says so already"
ECHO = "Learned already: saying it again is no further support"


@dataclass(frozen=True, slots=True)
class Reading:
    """A character's statements about itself in a reply, and whether each was elicited.

    The first `by_model` statements were read by a language model, the others by patterns. `problem` says what failed.
    """

    reply: Message
    sheet: Sheet
    statements: Sequence[Statement] = ()
    taints: Sequence[Taint] = ()
    by_model: int = 0
    problem: str = ""
    is_offline: bool = False
    """Whether the offline responder wrote it, which only recites what the turn assembled."""

    @property
    def proposes(self) -> bool:
        """Return whether an operator may let the character learn something from it."""
        return self.sheet.settings.learning == PROPOSE and not self.reply.conversation.sandbox


def read_reply(reply: Message) -> list[Claim]:
    """Read a reply, save its claims, and judge their proposals. Doing it twice changes nothing."""
    return propose(read(reply))


def read(reply: Message) -> Reading:
    """Return the statements of a reply; by the language model if one is connected, else by patterns."""
    sheet = reply.conversation.character.sheet
    if sheet is None:
        return Reading(reply, Sheet(reply.conversation.character.name, ""))
    turn: Turn | None = getattr(reply, "replied_by", None)
    if turn and turn.model == offline.NAME:
        return Reading(reply, sheet, is_offline=True)
    asked = reply.parent.text if reply.parent else ""
    statements, from_model, problem = _extracted(reply.text, sheet, asked)
    context = ConversationContext(sheet).before(reply) if statements else None
    taints = [context.judge(each.start, each.end, each.object) for each in statements] if context else []
    return Reading(reply, sheet, statements, taints, from_model, problem)


def _extracted(text: str, sheet: Sheet, asked: str) -> tuple[list[Statement], int, str]:
    """Return the statements, how many of them (the first) a model read, and what went wrong with it.

    Patterns count beside a model's list: a manipulated model may leave out what it was led to.
    """
    registry, model = Predicate.objects.registry(), wiring.language_model()
    by_patterns = patterns.extract(text, registry, sheet.name, asked)
    if not model.judges:
        return by_patterns, 0, ""
    try:
        pronouns = sheet.settings.pronouns
        read = by_model.extract(text, registry, sheet.name, asked, model=model, pronouns=pronouns)
    except (AnswerError, StoreError) as error:
        return by_patterns, 0, str(error)
    known = {key_of(each.predicate, each.object) for each in read}
    return [*read, *(each for each in by_patterns if key_of(each.predicate, each.object) not in known)], len(read), ""


def propose(reading: Reading) -> list[Claim]:
    """Save the claims, and judge their proposals; nothing if the character doesn't learn."""
    if not reading.proposes:
        return []
    registry = Predicate.objects.registry()
    claims = [
        _saved(reading, statement, registry, by_model=place < reading.by_model)
        for place, statement in enumerate(reading.statements)
    ]
    context = ConversationContext(reading.sheet)
    for proposal in {claim.proposal for claim in claims if claim.proposal}:
        judge(proposal, context)
    return claims


@transaction.atomic
def _saved(
    reading: Reading, statement: Statement, registry: Mapping[str, values.Predicate], *, by_model: bool
) -> Claim:
    if known := Claim.objects.filter(**_place(reading.reply, statement)).select_related("proposal").first():
        return known
    refused, proposal = _refused(reading, statement, registry), None
    if not refused:
        conversation = reading.reply.conversation
        proposal = _proposal(conversation.character, statement, conversation.person_id, registry)
        if proposal.was_learned_by(reading.reply.at):
            proposal, refused = None, ECHO
    return note(reading.reply, statement, proposal=proposal, by_model=by_model, refused=refused)


def _refused(reading: Reading, statement: Statement, registry: Mapping[str, values.Predicate]) -> str:
    """Return why the statement is no proposal; empty if it may be one."""
    predicate = registry.get(statement.predicate)
    if predicate is None or not predicate.learnable:
        return f"{statement.predicate} can't be learned"
    if any(is_stated_by(fact, statement.predicate, statement.object) for fact in reading.sheet.facts):
        return KNOWN
    learned = reading.reply.conversation.character.learned.in_use(reading.sheet)
    before = (row.fact for row in learned if row.learned_at <= reading.reply.at)  # as an operator approved it
    return ECHO if any(is_stated_by(fact, statement.predicate, statement.object) for fact in before) else ""


def note(
    reply: Message,
    statement: Statement,
    *,
    proposal: Proposal | None = None,
    by_model: bool = False,
    refused: str = ELSEWHERE,
) -> Claim:
    """Save a claim. A `refused` one has no proposal: it serves only to recognize messages that repeat it."""
    conversation = reply.conversation
    more = {
        "turn": getattr(reply, "replied_by", None),
        "conversation": conversation,
        "person": conversation.person,
        "character": conversation.character,
        "proposal": proposal,
        "certainty": statement.certainty,
        "hedged": statement.hedged,
        "by_model": by_model,
        "refused": refused,
        "stated_at": reply.at,
    }
    # another worker may read the same reply at this moment
    return Claim.objects.get_or_create(**_place(reply, statement), defaults=more)[0]


def _place(reply: Message, statement: Statement) -> dict[str, object]:
    names = ("start", "end", "predicate", "object")
    return {"message": reply, **{name: getattr(statement, name) for name in names}}


def _proposal(
    character: Character, statement: Statement, person: int, registry: Mapping[str, values.Predicate]
) -> Proposal:
    """Return the proposal of this meaning, decided ones included: a rejected statement doesn't return."""
    sentence = fact_sentence(Fact("", statement.predicate, statement.object), registry)
    proposal, is_new = proposal_of(character, statement.predicate, statement.object, sentence)
    Proposal.objects.filter(pk=proposal.pk).update(last_stated_at=timezone.now())
    proposal.refresh_from_db(fields=["state", "deferred_until", "learned"])  # the update waited for a decision
    if not is_new and proposal.awaits_support and not proposal.claims.filter(person=person).exists():
        decisions.resume(proposal)
    return proposal
