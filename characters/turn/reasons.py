"""Why a base was chosen, or none, in a user's words."""

from collections.abc import Iterator, Mapping, Sequence

from characters.domain import words
from characters.language.phrases import Phrase
from characters.turn.calibration import WordCounts
from characters.turn.choice import BaseScore, Hit
from characters.turn.request import Base

SHOWN = 3


def why_chosen(
    primary: Base,
    bases: Sequence[Base],
    scores: Sequence[BaseScore],
    hits: Sequence[Hit],
    phrases: Sequence[Phrase],
    counts: Mapping[str, WordCounts],
) -> tuple[str, ...]:
    """Return two sentences: which passages answer, and what sets this base apart from the others."""
    passages = len({hit.chunk for hit in hits if hit.base == primary.slug})
    near = "One of its passages is" if passages == 1 else f"{passages} of its passages are"
    return (f"{near} near the message or one of its phrases.", _apart(primary, bases, scores, phrases, counts))


def _apart(
    primary: Base,
    bases: Sequence[Base],
    scores: Sequence[BaseScore],
    phrases: Sequence[Phrase],
    counts: Mapping[str, WordCounts],
) -> str:
    if len(bases) == 1:
        return "It is the only base that this character may use."
    exclusive = list(_exclusive(primary.slug, phrases, counts))[:SHOWN]
    if exclusive:
        return f"{_listed(exclusive)} {'is' if len(exclusive) == 1 else 'are'} only there."
    names = {base.slug: base.title for base in bases}
    second = next((score for score in scores if score.base != primary.slug), None)
    return f"The next is {names[second.base]}, which the message points to less." if second else ""


def _exclusive(primary: str, phrases: Sequence[Phrase], counts: Mapping[str, WordCounts]) -> Iterator[str]:
    """Yield the phrases whose words all occur in this base, and in no other."""
    for phrase in phrases:
        stems = words.stems(phrase.text) if phrase.kind not in {"message", "sentence", "follow-up"} else []
        holders = [{slug for slug, known in counts.items() if known.counts.get(stem)} for stem in stems]
        if holders and all(holder == {primary} for holder in holders):
            yield phrase.text


def _listed(texts: Sequence[str]) -> str:
    quoted = [f"“{text}”" for text in texts]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
