"""Kind U: what messages state of their writers, and how much of what strangers state is read rightly.

A message counts as stating something if its readers agree that it does, and as stating nothing if they agree on that.
One that states something is read rightly if one of the facts read is one of theirs: the same subject, predicate and
end, and an object that has the same last word, with no word of more than the longer of the two. A fact read out of
one that states nothing is false, and so is one read out of the others that no reader has.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from characters.domain import lexicon
from characters.domain.people import KIN
from characters.language.extraction import patterns
from tests.quality import files
from tests.quality.vectors import StoredVectors

Stated = tuple[str, str, str, bool]
_KIN = {word: words[0] for words in KIN.values() for word in words}
_LEADS = re.compile(r"^(?:an?|the|my|our|some|to)\s+")


class StatedRow(BaseModel):
    """A message. `facts` are what a reader has, or `readers` what several have; `also` may be taken as well."""

    id: str
    text: str
    facts: list[list[Any]] = []
    readers: list[list[list[Any]]] = []
    also: list[list[Any]] = []


def predict(data: files.Data, _: StoredVectors | None = None) -> Iterator[Mapping[str, Any]]:
    """Per row the facts read: subject (empty for the writer), predicate, object, and whether it ended."""
    for row in files.rows(data, StatedRow):
        yield {"id": row.id, "facts": _read(row.text)}


def is_same(read: Stated, fact: Stated) -> bool:
    """Return whether a fact that was read is one that a reader has."""
    if (read[0], read[1], read[3]) != (fact[0], fact[1], fact[3]):
        return False
    ours, theirs = _words(read[2]), _words(fact[2])
    if not ours or not theirs:
        return ours == theirs
    return ours[-1] == theirs[-1] and (set(ours) <= set(theirs) or set(theirs) <= set(ours))


def outcome_of(row: StatedRow, read: Collection[Sequence[Any]] | None = None) -> tuple[bool | None, bool, int]:
    """Return `outcome` for the facts that were read from a row, by default those that are read now."""
    ours = _read(row.text) if read is None else read
    readers = [{fact(each) for each in facts} for facts in row.readers or [row.facts]]
    return outcome({fact(each) for each in ours}, readers, {fact(each) for each in row.also})


def _read(text: str) -> list[list[Any]]:
    return [[each.subject, each.predicate, each.object, each.ends] for each in patterns.extract(text)]


def outcome(
    read: Collection[Stated], readers: Sequence[Collection[Stated]], also: Collection[Stated] = ()
) -> tuple[bool | None, bool, int]:
    """Return whether the readers agree that something is stated (None if they don't agree), whether a right fact was
    read, and how many false ones.
    """
    states = {bool(facts) for facts in readers}
    accepted = {fact for facts in readers for fact in facts}
    right = [each for each in read if any(is_same(each, fact) for fact in accepted)]
    false = [each for each in read if not any(is_same(each, fact) for fact in (*accepted, *also))]
    return next(iter(states)) if len(states) == 1 else None, bool(right), len(false)


def fact(row: Sequence[Any]) -> Stated:
    """Return a fact as it is compared: lower case, kin by their first word, without an article."""
    subject, predicate, about, *ended = row
    return _plain(subject), predicate, _LEADS.sub("", _plain(about)), bool(ended and ended[0])


def _plain(text: str) -> str:
    plain = " ".join(str(text).replace("’", "'").lower().split()).strip(".,;:!? ")
    return _KIN.get(plain, plain)


def _words(text: str) -> list[str]:
    return [lexicon.singular(word) for word in re.findall(r"[\w'-]+", text)]


def summary(data: files.Data, predictions: Path, _: StoredVectors | None = None) -> Iterator[str]:
    """How many of the messages that state something were read rightly, and how many facts were false."""
    rows = {row.id: row for row in files.rows(data, StatedRow)}
    outcomes: list[tuple[bool | None, bool, int]] = []
    count = 0
    for prediction in files.predicted(predictions):
        outcomes.append(outcome_of(rows[prediction["id"]], prediction["facts"]))
        count += len(prediction["facts"])
    stating = [right for states, right, _ in outcomes if states]
    silent = [bool(false) for states, _, false in outcomes if states is False]
    wrong = sum(false for _, _, false in outcomes)
    yield f"a right fact in {sum(stating)} of {len(stating)} messages that state one"
    yield f"a fact in {sum(silent)} of {len(silent)} messages that state none"
    yield f"{count} facts, {wrong} of them false, in {len(outcomes)} messages"
