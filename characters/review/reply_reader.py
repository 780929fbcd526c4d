"""A reply's statements become proposals: read out of it, saved with their places, judged, and left for an operator."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from characters.conversations.models import Message, Turn
from characters.domain import sheet as values
from characters.domain.sheet import Fact, Sheet
from characters.language.claims import patterns
from characters.language.claims.meaning import is_said_by
from characters.language.claims.values import Claim as Read
from characters.language.gate.taint import Taint
from characters.profiles.learned.reading import in_use
from characters.profiles.models import Character, Predicate
from characters.review import decisions
from characters.review.claims import by_model
from characters.review.judgement import judge
from characters.review.models import Claim, Proposal
from characters.review.repeats import key_of, proposal_of
from characters.review.transcripts import ConversationContext
from characters.review.verdicts.found import said
from kgadmin.stores import offline, wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import AnswerError

PROPOSE = "propose"
ELSEWHERE = "It was imported: no turn of this program wrote it"
KNOWN = "Her sheet says so already"
ECHO = "She has learned it: saying it again is no further support"
ALREADY = (KNOWN, ECHO)


@dataclass(frozen=True, slots=True)
class Reading:
    """What she states of herself in a reply, and whether she was led to it, statement by statement.

    The first `by_model` claims were read by a language model, the others by patterns. `problem` says what went wrong.
    """

    reply: Message
    sheet: Sheet
    claims: Sequence[Read] = ()
    taints: Sequence[Taint] = ()
    by_model: int = 0
    problem: str = ""
    is_offline: bool = False
    """Whether it says what the turn assembled, and nothing of her own."""

    @property
    def proposes(self) -> bool:
        """Whether an operator may let her learn something from it."""
        return self.sheet.settings.learning == PROPOSE and not self.reply.conversation.sandbox


def read_reply(reply: Message) -> list[Claim]:
    """Save what she says of herself in a reply, and judge anew what it is about. Doing it twice changes nothing."""
    return propose(read(reply))


def read(reply: Message) -> Reading:
    """Look for what she says of herself; with the language model where one is connected, else by patterns."""
    sheet = reply.conversation.character.sheet
    if sheet is None:
        return Reading(reply, Sheet(reply.conversation.character.name, ""))
    turn: Turn | None = getattr(reply, "replied_by", None)
    if turn and turn.model == offline.NAME:
        return Reading(reply, sheet, is_offline=True)
    registry = Predicate.objects.registry()
    asked = reply.parent.text if reply.parent else ""
    claims, from_model, problem = _extracted(reply.text, registry, sheet.name, asked)
    context = ConversationContext(sheet).before(reply) if claims else None
    taints = [context.judge(each.start, each.end, each.object) for each in claims] if context else []
    return Reading(reply, sheet, claims, taints, from_model, problem)


def _extracted(text: str, registry: dict[str, values.Predicate], name: str, asked: str) -> tuple[list[Read], int, str]:
    """The claims, how many of them (the first) a model read, and what went wrong with it.

    What patterns find counts beside a model's list: a model that was led may leave out what it was led to.
    """
    found, model = patterns.extract(text, registry, name, asked), wiring.language_model()
    if not model.judges:
        return found, 0, ""
    try:
        read = by_model.extract(text, registry, name, asked, model=model)
    except (AnswerError, StoreError) as error:
        return found, 0, str(error)
    known = {key_of(each.predicate, each.object) for each in read}
    return [*read, *(each for each in found if key_of(each.predicate, each.object) not in known)], len(read), ""


def propose(reading: Reading) -> list[Claim]:
    """Save the claims, and judge anew what they are about; nothing where she doesn't learn."""
    if not reading.proposes:
        return []
    registry = Predicate.objects.registry()
    claims = [
        _saved(reading, each, registry, by_model=place < reading.by_model) for place, each in enumerate(reading.claims)
    ]
    context = ConversationContext(reading.sheet)
    for proposal in {claim.proposal for claim in claims if claim.proposal}:
        judge(proposal, context)
    return claims


@transaction.atomic
def _saved(reading: Reading, read: Read, registry: dict[str, values.Predicate], *, by_model: bool) -> Claim:
    reply, predicate = reading.reply, registry.get(read.predicate)
    place = {"message": reply, "start": read.start, "end": read.end, "predicate": read.predicate, "object": read.object}
    known = Claim.objects.filter(**place).select_related("proposal").first()
    if known:
        return known
    conversation = reply.conversation
    refused = "" if predicate is not None and predicate.learnable else f"{read.predicate} can't be learned"
    if not refused and any(is_said_by(fact, read.predicate, read.object) for fact in reading.sheet.facts):
        refused = KNOWN
    if not refused and _is_told(reading, read):
        refused = ECHO
    proposal = None if refused else _proposal(conversation.character, read, conversation.person_id, registry)
    if proposal is not None and proposal.is_told_since(reply.at):
        proposal, refused = None, ECHO
    made = {
        "turn": getattr(reply, "replied_by", None),
        "conversation": conversation,
        "person": conversation.person,
        "character": conversation.character,
        "proposal": proposal,
        "certainty": read.certainty,
        "hedged": read.hedged,
        "by_model": by_model,
        "refused": refused,
        "said_at": reply.at,
    }
    return Claim.objects.get_or_create(**place, defaults=made)[0]  # another may read the same reply just now


def _is_told(reading: Reading, read: Read) -> bool:
    """Whether she had learned it by then, in whatever words an operator approved."""
    learned = in_use(reading.reply.conversation.character, reading.sheet)
    before = (each for each in learned if each.learned_at <= reading.reply.at)
    return any(is_said_by(each.fact, read.predicate, read.object) for each in before)


def note(reply: Message, read: Read) -> None:
    """Keep a statement of a reply that was said elsewhere: nobody decides on it, and what repeats it is known by it."""
    conversation = reply.conversation
    place = {"message": reply, "start": read.start, "end": read.end, "predicate": read.predicate, "object": read.object}
    made = {
        "conversation": conversation,
        "person": conversation.person,
        "character": conversation.character,
        "certainty": read.certainty,
        "hedged": read.hedged,
        "refused": ELSEWHERE,
        "said_at": reply.at,
    }
    Claim.objects.get_or_create(**place, defaults=made)


def _proposal(character: Character, read: Read, person: int, registry: dict[str, values.Predicate]) -> Proposal:
    """The one of this meaning, also where it was decided: what was rejected doesn't come back."""
    told = said(Fact("", read.predicate, read.object), registry)
    proposal, is_new = proposal_of(character, read.predicate, read.object, told)
    Proposal.objects.filter(pk=proposal.pk).update(said_at=timezone.now())
    proposal.refresh_from_db(fields=["state", "deferred_until", "learned"])  # whoever decided was waited for
    if not is_new and proposal.awaits_support and not proposal.claims.filter(person=person).exists():
        decisions.resume(proposal)
    return proposal
