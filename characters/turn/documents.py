"""Documents: the probe's chunks, completed by adjacent chunks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from characters.turn.choice import Hit
from characters.turn.probe import Probe
from characters.turn.request import Base, Chunk, Readers, TurnRequest
from characters.turn.sections import Count
from characters.turn.trace import UNSAVED, nothing_found

MAX_PASSAGES = 6
MIN_OVERLAP, MAX_OVERLAP = 15, 400
"""Characters that adjacent chunks may share."""
NEIGHBOURS_OF = 2


@dataclass(frozen=True, slots=True)
class Passage:
    """Consecutive chunks of one document."""

    base: str
    section: str
    document: str
    heading: str
    provenance: str
    phrase: str
    similarity: float
    chunks: tuple[str, ...]
    first: int
    last: int
    text: str
    """The chunks' texts, each section of the document under its heading."""
    quote: str = field(metadata=UNSAVED)
    """The text of the chunk that was hit."""
    tokens: int
    """Tokens of its chunks, as they were counted once, and of their headings; what chunks share counts twice."""
    why: str
    place: str = ""
    """Where the chunk that was hit stands in the file, as in "page 3"."""

    @property
    def item(self) -> str:
        """Return the id under which the prompt shows it."""
        return f"chunk:{self.chunks[0]}"


@dataclass(frozen=True, slots=True)
class Documents:
    """The passages that go into the prompt, and those that didn't fit."""

    used: tuple[Passage, ...] = ()
    dropped: tuple[Passage, ...] = ()
    neighbours: int = 0
    skipped: str = ""


def documents(request: TurnRequest, probed: Probe, readers: Readers) -> Documents:
    """Return passages within their sections' budgets, best first. Bases that were probed aren't queried again."""
    if request.is_off("documents"):
        return Documents(skipped="switched off")
    if probed.skipped:
        return Documents(skipped=f"the probe asked no base: {probed.skipped}")
    if not probed.primary:
        no_base = "the probe found no base that the message is about"
        return Documents(skipped=nothing_found(no_base, request.unread_documents, "document"))
    sections = {probed.primary: "primary", **dict.fromkeys(probed.supplemental, "supplemental")}
    best = _best_hits(probed.hits, sections)
    ids = [hit.chunk for hit in best]
    chunks = {id_: chunk for id_, chunk in readers.chunks(ids).items() if not request.is_off(f"chunk:{id_}")}
    bases = {base.slug: base for base in request.bases}
    passages = _passages(best, sections, chunks, bases, readers.count_tokens)
    budgets = {"primary": request.budgets.primary, "supplemental": request.budgets.supplemental}
    used, dropped = _within(passages, budgets)
    added = sum(chunk not in ids for passage in used for chunk in passage.chunks)
    return Documents(tuple(used), tuple(dropped), added)


def _best_hits(hits: Sequence[Hit], sections: Mapping[str, str]) -> list[Hit]:
    per_base = Counter[str]()
    chosen = []
    for hit in sorted((hit for hit in hits if hit.base in sections), key=lambda hit: -hit.weight):
        per_base[hit.base] += 1
        if per_base[hit.base] <= MAX_PASSAGES:
            chosen.append(hit)
    return chosen


def _passages(
    hits: Sequence[Hit],
    sections: Mapping[str, str],
    chunks: Mapping[str, Chunk],
    bases: Mapping[str, Base],
    count: Count,
) -> list[Passage]:
    place = {(chunk.base, chunk.document, chunk.index): chunk for chunk in chunks.values()}
    hit_ids = {hit.chunk for hit in hits}
    taken: set[str] = set()
    completed = Counter[str]()
    passages = []
    for hit in hits:
        chunk = chunks.get(hit.chunk)
        if chunk is None or chunk.id in taken:
            continue
        section = sections[hit.base]
        run = _run(chunk, place, hit_ids, taken, widen=completed[section] < NEIGHBOURS_OF)
        completed[section] += 1
        taken.update(part.id for part in run)
        provenance = bases[hit.base].provenance
        passages.append(_passage(hit, run, hit_ids, count, section=section, provenance=provenance))
    return passages


def _passage(hit: Hit, run: Sequence[Chunk], hits: set[str], count: Count, *, section: str, provenance: str) -> Passage:
    chunk = next(part for part in run if part.id == hit.chunk)
    return Passage(
        base=hit.base,
        section=section,
        document=chunk.document,
        heading=chunk.heading,
        provenance=provenance,
        phrase=hit.phrase,
        similarity=hit.similarity,
        chunks=tuple(part.id for part in run),
        first=run[0].index,
        last=run[-1].index,
        text=_joined(run),
        quote=chunk.text,
        tokens=sum(part.tokens for part in run) + sum(count(heading) for heading in {part.heading for part in run}),
        why=_why(run, hits),
        place=chunk.place,
    )


def _run(
    chunk: Chunk, place: Mapping[tuple[str, str, int], Chunk], hits: set[str], taken: set[str], *, widen: bool
) -> list[Chunk]:
    """Return the chunk with the hits adjacent to it, and one more chunk on each side if widened."""
    run = [chunk]
    for step in (-1, 1):
        index, spare = chunk.index + step, widen
        while (beside := place.get((chunk.base, chunk.document, index))) and beside.id not in taken:
            if beside.id not in hits and not spare:
                break
            spare = spare and beside.id in hits
            run.append(beside)
            index += step
    return sorted(run, key=lambda part: part.index)


def _why(run: Sequence[Chunk], hits: set[str]) -> str:
    number = sum(part.id in hits for part in run)
    beside = len(run) - number
    hit = "a hit" if number == 1 else f"{number} hits"
    return hit if not beside else f"{hit} and {'its neighbour' if beside == 1 else f'{beside} neighbours'}"


def _joined(run: Sequence[Chunk]) -> str:
    """Return consecutive chunks as one text, each section under its heading, without overlaps."""
    joined, heading = "", ""
    for chunk in run:
        if chunk.heading != heading:
            heading = chunk.heading
            title = heading.rsplit(" > ", 1)[-1]
            joined += f"\n# {title}\n{chunk.text}" if title else f"\n{chunk.text}"
        else:
            longest = min(len(joined), len(chunk.text), MAX_OVERLAP)
            sizes = range(longest, MIN_OVERLAP, -1)
            overlap = next((size for size in sizes if joined.endswith(chunk.text[:size])), 0)
            joined += chunk.text[overlap:] if overlap else f"\n{chunk.text}"
    return joined.strip("\n")


def _within(passages: Sequence[Passage], budgets: Mapping[str, int]) -> tuple[list[Passage], list[Passage]]:
    """Return the best passages within their section's budget; its first always goes in, cut by the prompt."""
    used, dropped = list[Passage](), list[Passage]()
    spent = dict.fromkeys(budgets, 0)
    for passage in passages:
        budget = budgets[passage.section]
        over = spent[passage.section] + passage.tokens - budget
        if over <= 0 or not spent[passage.section]:
            spent[passage.section] += passage.tokens
            used.append(passage)
        else:
            dropped.append(replace(passage, why=f"{over} tokens over the section's {budget}"))
    return used, dropped
