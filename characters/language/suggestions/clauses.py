"""Read what a sentence says: split it into clauses, find the subject of each, and match the table of verbs."""

import re
from collections.abc import Iterator

from characters.domain.people import PRONOUN_OF_WORD
from characters.language.suggestions.objects import MAX_WORDS, PredicateAndObject, cut, mine, phrase_of, sound
from characters.language.suggestions.rules import BE, RULES
from characters.language.suggestions.subjects import KIN, KIN_WORDS, POSSESSIONS, Cast, Subject, subject

_JOINT = re.compile(r"\s*;\s*|\s*,\s*(?:and|but|yet|then)\s+|\s*,\s*|\s+(?:and|but|yet)\s+|\s+[-–—]+\s+|—")
_OPENING = re.compile(
    r"""\s*(?:(?:today|now|these\ days|currently|originally|by\ (?:day|night)|at\ heart|outside\ (?:of\ )?work
    |at\ \d+|born\ and\ raised\ in\ [^,]+|in\ (?:my|your|his|her)\ (?:free|spare)\ time|as\ a\ result|also|in\ addition
    |in\ short|above\ all|nevertheless|still
    |after\ (?:college|university|school|the\ war)|in\ \d{4}|and|but)\s*,?\s+)""",
    re.IGNORECASE | re.VERBOSE,
)
_SUPPOSED = re.compile(
    r"""\b(?:if|unless|whether|would|could\ have|might|may\ (?:be|have)|maybe|perhaps|possibly|probably|as\ though
    |wish\w*|rumou?r\w*|supposedly|allegedly|apparently|claim\w*|pretend\w*|imagin\w+|suppos\w+|almost|nearly|legend
    |according\ to|in\ another\ life|not|never|no\ longer|used\ to\ (?!be\b|work\b)|hardly|barely|neither
    |nor)\b|\w+n't\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ALLOWED = re.compile(
    r"\b(?:can't|cannot|can not)\b|\b(?:do not|don't|does not|doesn't)(?: really| much)? (?:like|enjoy|care for)\b",
    re.IGNORECASE,
)
_NOT_STATED = re.compile(
    r"""\s*(?:if|unless|when|whenever|while|once|had|were|should|imagine|suppose|pretend|remember|always|never|do|don't
    |please|ensure|make\ sure|note|in\ this|when\ speaking)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_VERB = re.compile(
    r"""\s*(?:(?:never|always|often|sometimes|rarely|still|now|once|later|also|then|usually|secretly)\s+)*
    (?:am|are|is|was|were|has|have|had|can|can't|cannot|could|will|would|must|should|may|might|do|does|did|don't|doesn't
    |keeps?|runs?|teaches|taught|makes?|made|takes?|took|goes|went|gets?|got|gives?|gave|knows?|knew|wears?|wore|spends?
    |spent|became|becomes?|left|leaves|lost|met|meets|found|finds|sells?|sold|fought|fights|tries|tried|helps?|helped
    |dreams?|smells?|smokes?|drinks?|reads|writes|wrote|sings|sleeps|returned|died|raised|rules?|claims?|tells?|told)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_APPOSED = re.compile(r"\s*,\s*(?:(?P<age>\d{1,3})|(?P<what>an?\s[^,.;]{3,120}))\s*(?=[,.;]|$)")
_CALLED = re.compile(
    r"""(?:\w+\s+){0,2}(?:people|friends|everyone|everybody|colleagues|others)\s+(?:just\s+)?calls?\s+
    (?P<whom>you|me|him|her)\s+(?P<name>(?:the\s+)?(?-i:[A-Z])[\w'\ -]+?)\s*(?:[,.;]|$)""",
    re.IGNORECASE | re.VERBOSE,
)
_BEHIND_NOUN = re.compile(r"\s+(?:that|who|which|whose)\s")
_NAME_FIRST = re.compile(rf"\s*{BE}\s+(?:called\s+|named\s+)?")


BOTH = frozenset({"he", "she"})


class Reader:
    """Reads the sentences of a text in order, and keeps track of whether "he" and "she" mean the character."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._pronouns = BOTH

    def new_paragraph(self) -> None:
        """Let pronouns mean the character again."""
        self._pronouns = BOTH

    def read(self, sentence: str) -> Iterator[PredicateAndObject]:
        """Yield what the sentence states; nothing for a question, an instruction or a supposition."""
        if sentence.rstrip().endswith("?") or _NOT_STATED.match(sentence):
            self._mention(sentence)
            return
        about: Subject | None = None
        called = _CALLED.match(sentence)
        if called and self._is_character(called["whom"].lower()):
            yield "HAS_NICKNAME", called["name"]
            return
        for clause in _clauses(sentence, self._cast):
            about = self._subject(clause, about)
            if about is None:
                return
            yield from _stated(clause, about, self._cast)

    def read_bullet(self, line: str) -> Iterator[PredicateAndObject]:
        """Read a list item, which may lack its subject and "is": "Allergic to bees", "Has a parrot"."""
        for clause in _clauses(line, self._cast):
            own_subject = subject(clause, self._cast, BOTH)
            if own_subject is not None:
                yield from _stated(clause, own_subject, self._cast)
                continue
            line_text = clause.lstrip()
            for text in (line_text[:1].lower() + line_text[1:], f"is {line_text[:1].lower()}{line_text[1:]}"):
                statements = list(_stated(text, Subject("character", 0), self._cast))
                yield from statements
                if statements:
                    break

    def _subject(self, clause: str, before: Subject | None) -> Subject | None:
        """Return the clause's own subject; without one, the character if the clause before was about them."""
        own_subject = subject(clause, self._cast, self._pronouns)
        if own_subject is not None:
            self._pronouns = self._after(own_subject)
            return own_subject
        if before is None:
            self._pronouns = frozenset()
            return None
        return Subject(before.about, 0, before.kin) if before.about == "character" else Subject("other", 0)

    def _is_character(self, whom: str) -> bool:
        """Return whether an object pronoun such as "her" means the character."""
        by_text = {"you": self._cast.second, "me": self._cast.first}
        return by_text.get(whom, self._cast.third and {"him": "he", "her": "she"}.get(whom) in self._pronouns)

    def _after(self, subject_before: Subject) -> frozenset[str]:
        """Return the pronouns that mean the character after this clause: a relative claims those of their gender."""
        if subject_before.about in {"character", "possession"}:
            return frozenset({subject_before.pronoun}) if subject_before.pronoun else BOTH
        if subject_before.about == "kin":
            pronoun = PRONOUN_OF_WORD.get(subject_before.kin)
            return (frozenset({subject_before.pronoun}) if subject_before.pronoun else BOTH) - (
                BOTH if pronoun is None else {pronoun}
            )
        return self._pronouns if subject_before.pronoun else frozenset()

    def _mention(self, sentence: str) -> None:
        self._pronouns = BOTH if self._cast.name.search(sentence) else frozenset()


def _clauses(sentence: str, cast: Cast) -> list[str]:
    """Split a sentence where clauses begin: at a subject or a verb behind a comma, a dash or "and"."""
    opening = _OPENING.match(sentence)
    starts = [(0, opening.end() if opening else 0)]
    for joint in _JOINT.finditer(sentence, starts[0][1]):
        if _begins(sentence[joint.end() :], cast):
            starts.append((joint.start(), joint.end()))
    ends = [start for start, _ in starts[1:]] + [len(sentence)]
    return [sentence[start:end] for (_, start), end in zip(starts, ends, strict=True)]


def _begins(rest: str, cast: Cast) -> bool:
    pronoun = re.match(r"(?:I|you|he|she|they|it|we)\b(?!/)", rest)
    possessive = re.match(rf"(?:my|your|his|her)\s(?:{KIN_WORDS}|(?:\w+\s){{1,2}}(?:is|was|are))\b", rest)
    named = cast.name.match(rest)
    verb = _VERB.match(rest) or any(rule.verb.match(rest) for rule in RULES)
    return bool(pronoun or possessive or named or verb)


def _stated(clause: str, about: Subject, cast: Cast) -> Iterator[PredicateAndObject]:
    rest = clause[about.end :]
    denied = _SUPPOSED.search(_ALLOWED.sub("", _BEHIND_NOUN.split(rest)[0]))
    if about.about == "other" or (denied and about.about != "kin"):
        return
    if about.about == "kin":
        yield from _of_kin(about.kin, rest)
    elif about.about == "possession":
        yield from _of_possession(about.kin, rest)
    else:
        yield from _of_character(rest, cast)


def _of_character(rest: str, cast: Cast) -> Iterator[PredicateAndObject]:
    """Read ", 32, a banker, lives in ...", " are Elena, 26, a marine biologist", " loves tide pools"."""
    be = _NAME_FIRST.match(rest)
    named = cast.name.match(rest, be.end()) if be else None
    rest = rest[named.end() :] if named else rest
    while apposition := _APPOSED.match(rest):
        if apposition["age"]:
            yield "HAS_AGE", apposition["age"]
        else:
            yield from _by_table(f"is {apposition['what']}")
        rest = rest[apposition.end() :]
    yield from _by_table(re.sub(r"^\s*,", "", rest))


def _by_table(rest: str) -> Iterator[PredicateAndObject]:
    """Read by the first rule whose verb matches."""
    for rule in RULES:
        if match := rule.verb.match(rest):
            yield from rule.read(rest[match.end() :])
            return


_KIN_NAMED = re.compile(
    r"\s*(?:,|(?:is|was)(?:\s+(?:named|called))?)?\s+(?P<name>[A-Z][\w-]+\.?(?:\s+[A-Z][\w-]+)*)\s*(?:,|$|[.;]|\s)"
)
_KIN_IS = re.compile(r"\s*(?:is|was|are|were)\s+(?!not\b|never\b|\w+ing\b)(?P<what>(?:an?|the)\s.+)", re.IGNORECASE)
_KIN_DID = re.compile(r"\s*(?P<what>(?:taught|raised|built|owns|owned|runs|ran|left|died)\s.+)", re.IGNORECASE)


def _of_kin(kin: str, rest: str) -> Iterator[PredicateAndObject]:
    """Read "was a clockmaker", ", Arthur, built the telescope", "taught you to read the weather"."""
    predicate = KIN[kin]
    if match := _KIN_NAMED.match(rest):
        yield predicate, match["name"]
    elif match := _KIN_IS.match(rest) or _KIN_DID.match(rest):
        text = cut(match["what"])
        phrase = mine(re.sub(r"^an? ", "", text.strip(" ,")))
        if not _SUPPOSED.search(text) and sound(text.split()[-1]) and len(phrase.split()) <= MAX_WORDS:
            yield predicate, phrase


_IS = re.compile(
    r"(?:\s+of all time)?\s+(?:is|are|was|has always been)(?: still| probably)?(?: that)?\s+", re.IGNORECASE
)


def _of_possession(what: str, rest: str) -> Iterator[PredicateAndObject]:
    """Read what a possession is: "favorite season" in "is autumn", "goal" in "is to find ..."."""
    match = _IS.match(rest)
    if match is None:
        return
    predicate = POSSESSIONS.get(what) or f"FAVORITE_{what.rsplit(maxsplit=1)[-1].upper()}"
    text = rest[match.end() :]
    if predicate == "HAS_MOTTO":
        phrase = mine(re.split(r"[.;!]\s*$", text)[0]).strip(" \"'“”.")
        if phrase:
            yield predicate, phrase
    elif predicate in {"HAS_DREAM", "HAS_GOAL", "HAS_SECRET"}:
        if phrase := sound(re.split(r"[.;!?]", text)[0]):
            yield predicate, phrase
    else:
        yield from phrase_of(predicate)(cut(text))
