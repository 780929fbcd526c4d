"""What a sheet says of relatives against itself: an only child with a brother, a father dead and alive."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from characters.authoring.lint.findings import Finding
from characters.authoring.lint.opposites import MOST, Registry, contradiction
from characters.domain.facts import sentence
from characters.domain.sheet import Fact

_ONLY_CHILD = re.compile(r"I(?: am|'m| was) an only child\b(?! (?:until|till|for|of))", re.IGNORECASE)
_SIBLING = re.compile(
    r"My (?:(?:younger|older|elder|little|big|twin) )?(?:brother|sister|sibling)s? (?:is|are)\b"
    r"|I(?: have|'ve| have got|'ve got) (?:an?|two|three|four|five|six|seven|eight|nine|ten|\d+) "
    r"(?:(?:younger|older|elder|little|big|twin) )?(?:brother|sister|sibling)s?\b",
    re.IGNORECASE,
)
_DOUBTFUL = re.compile(
    r"\b(?:no|not|never|none|foster|adopt\w*|in-law|in spirit|like|dead|died|late|lost|killed|passed|born after)\b"
    r"|\b(?:step|half)",
    re.IGNORECASE,
)
"""Brothers and sisters whom an only child may have."""
_SIBLINGS = frozenset({"HAS_BROTHER", "HAS_SISTER", "HAS_SIBLING"})
_PARENT = re.compile(
    r"My (?P<who>father|dad|mother|mom|mum)"
    r"(?: is (?:now |long )?(?:dead|deceased)\b| is (?:still )?(?P<alive>alive)\b"
    r"| (?:died|passed away|has died|has passed away)\b)",
    re.IGNORECASE,
)
_NAMES = {"dad": "father", "mom": "mother", "mum": "mother"}


def only_child(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """An only child that has brothers or sisters."""
    phrased = [(fact, _plain(fact, registry)) for fact in facts]
    alone = [(fact, text) for fact, text in phrased if _ONLY_CHILD.match(text)]
    siblings = [
        (fact, text)
        for fact, text in phrased
        if (fact.predicate in _SIBLINGS or _SIBLING.match(text)) and not _DOUBTFUL.search(text)
    ]
    for fact, text in alone[:1]:
        for other, sibling in islice(siblings, MOST):
            yield contradiction(f"“{text}” and “{sibling}” contradict each other.", [fact, other])


def dead_and_alive(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """A parent who is dead in one sentence and alive in another."""
    alive: dict[str, tuple[Fact, str]] = {}
    dead: dict[str, tuple[Fact, str]] = {}
    for fact in facts:
        text = _plain(fact, registry)
        if match := _PARENT.match(text):
            who = match["who"].lower()
            (alive if match["alive"] else dead).setdefault(_NAMES.get(who, who), (fact, text))
    for who in sorted(alive.keys() & dead.keys()):
        (first_fact, first), (second_fact, second) = alive[who], dead[who]
        yield contradiction(f"“{first}” and “{second}” contradict each other.", [first_fact, second_fact])


def _plain(fact: Fact, registry: Registry) -> str:
    return sentence(fact, registry.get(fact.predicate)).replace("’", "'")
