"""What stands against approving: what can't be learned at all, and bad verdicts, against which a reason is needed."""

from characters.domain.sheet import Sheet
from characters.profiles.learned import many
from characters.profiles.learned import services as learning
from characters.review import private
from characters.review.models import Proposal, Verdict, VerdictQuerySet
from characters.review.words import WORDS

BAD = "Its verdict is bad: {}. Say why it is approved all the same, or leave it."


@many.reading_once()
def why_not(row: Proposal) -> str:
    """Why approving it as it stands would be refused, as a sentence; empty where it wouldn't be, or it is decided."""
    if not row.is_undecided:
        return ""
    sheet = many.reads().sheet(row.character)
    return learning.why_not(row.character, predicate=row.predicate, object=row.object) or names_private(row, sheet)


def names_private(row: Proposal, sheet: Sheet | None) -> str:
    """That it names somebody whom only those told her of to whom she said it."""
    if sheet and (names := private.Names(row.listeners, sheet).within(learning.cleaned(row.object))):
        return f"It names {names[0]}, whom only the person she said it to told her of. Edit it, or reject it."
    return ""


def unreasoned(verdicts: VerdictQuerySet) -> dict[int, str]:
    """By proposal, why it isn't approved without a reason; those of which no verdict is bad aren't in it."""
    found: dict[int, list[str]] = {}
    for pk, check in verdicts.bad().order_by("position").values_list("proposal", "check_name"):
        found.setdefault(pk, []).append(f"{check} ({WORDS[check].get(Verdict.Outcome.BAD, 'bad').lower()})")
    return {pk: BAD.format(" and ".join(checks)) for pk, checks in found.items()}
