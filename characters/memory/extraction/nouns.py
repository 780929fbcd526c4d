"""Noun phrases: where the object of a statement begins and ends, and which objects say nothing."""

import re
from dataclasses import dataclass

from characters.memory.extraction import lexicon
from characters.turn.people import KIN_WORDS
from kgadmin import words

MAX_WORDS = 6

_WORD = re.compile(
    r"\s*((?:[^\W_]\.){2,}|(?:mr|mrs|ms|dr|st|prof)\.(?=\s+[^\W\d_])|[^\W_]+(?:[-'&./+][^\W_]+)*['+#]?)", re.I
)
_JOINT = re.compile(r"\s*(&)(?=\s)")

_ENDS = frozenset(
    """called named above below beyond in on at with for from to by about since because cause cuz as than when while where who whom which that whose what until till
    after before during over under near around behind through without within against between into onto off up down out
    and or nor but so yet though although if unless except especially particularly including like plus
    also too now today tonight tomorrow yesterday lately recently again already always still anymore any anyway either very really
    much more most just even only right every each this these those last next ago nowadays currently once twice
    is are was were am be been being has have had do does did will would can could should may might must not isn't aren't
    wasn't don't doesn't didn't won't can't i i'm i've i'd i'll you you're he she he's she's it it's its we we're they me him her us them my your his our their
    there here then ok okay lol haha tbh btw imo honestly actually together alone online myself yourself itself himself herself
    badly well loudly professionally part-time full-time freelance sometimes often usually never ever daily weekly
    a an the because both neither whenever whatever however somehow instead lmao omg pls please thanks thx basically obviously""".split()
)
_REFUSED_STARTS = frozenset(
    """this that these those your yours his her hers their theirs its it you him them he she they everything nothing something anything
    everyone everybody someone somebody nobody no none neither not how what when where why who whether if to being such any all both each
    every more most less enough whatever another other others me myself us mine ours so too as there here there's one ones""".split()
)
_LEADS = frozenset(
    """a an the some my our own two three four five six seven eight nine ten eleven twelve several many both few couple pair bunch lots plenty
    lot bit little huge really very pretty quite super so of new""".split()
)
_POSSESSIVES = frozenset({"my", "our"})
_QUANTITIES = re.compile(
    r"\s*(?:a\s+(?:few|couple|pair|bunch|lot|bit|little\s+bit|tiny\s+bit|little)\s+(?:of\s+)?|(?:lots|plenty|tons|loads)\s+of\s+|"
    r"all\s+(?:kinds|sorts)\s+of\s+|(?:some|any)\s+kinds?\s+of\s+|most\s+|all\s+(?:the\s+|my\s+)?(?=\w{3,})(?!of))",
    re.I,
)
_DETERMINER = re.compile(
    r"\s*(?:(the|an?|some|my|our|own|\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\b|(very|really|quite|super)\b)",
    re.I,
)

VAGUE = frozenset(
    """it stuff thing things something anything everything nothing lot lots one ones time times idea ideas question questions problem problems
    issue issues way ways part parts point points reason reasons kind kinds sort sorts bit bits people person guy guys man men woman women everyone
    someone fact facts case example feeling feelings thought thoughts plan plans day days moment moments minute second hour week month year
    answer answers help advice opinion sound look looks rest others same fun chance choice favor favour favorite favourite need needs
    sense word words mess place places story stories message chat conversation deal matter life world everybody side step hand number amount
    type list copy version sample summary explanation meaning clue doubt trouble luck job work name names topic subject morning evening night
    afternoon weekend all half whole while company business style vibe vibes voice joke jokes response reply responses humor humour personality
    character you yours me mine us them him her tone smile face eyes energy attitude mood theory hunch appointment meeting exam test date deadline
    headache cold hangover cough flu fever break shot go say piece bone mind nerve gut guess hope wish dream blast ball crush grudge secret""".split()
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase in a text: `text` without its article, from `start` to `end`."""

    text: str
    start: int
    end: int
    owned: bool = False
    """Whether "my" or "our" stands in front."""
    article: bool = False
    """Whether an article or a number does."""

    @property
    def head(self) -> str:
        """Its chief word, lower case: "bee stings" -> "stings", "fear of heights" -> "fear"."""
        return re.split(r"\s+of\s+", self.text.lower())[0].rpartition(" ")[2]

    @property
    def is_name(self) -> bool:
        """Whether each of its longer words has a capital."""
        return all(
            word[:1].isupper() or word[:1].isdigit() for word in self.text.split() if len(word) > 3 or word.istitle()
        )


def phrase(text: str, start: int) -> Phrase | None:
    """The noun phrase that begins at `start`; None where none does, or where it says nothing."""
    place, owned, article = _skip_leads(text, start)
    first = _WORD.match(text, place)
    if first is None or first[1].lower() in _REFUSED_STARTS:
        return None
    spans = _spans(text, place)
    if not spans or len(spans) > MAX_WORDS:
        return None
    found = Phrase(text[spans[0][0] : spans[-1][1]], spans[0][0], spans[-1][1], owned, article)
    return None if is_vague(found.text) else found


def is_vague(text: str) -> bool:
    """Whether an object says nothing: "stuff", "a lot", "questions", "it"."""
    plain = text.lower().strip(" '")
    head = re.split(r"\s+of\s+", plain)[0].rpartition(" ")[2]
    if not any(each.isalpha() for each in plain) or plain in words.STOP or plain in _REFUSED_STARTS:
        return True
    return (head in VAGUE or lexicon.singular(head) in VAGUE) and not text[:1].isupper()


def name(text: str, start: int, *, lower: bool = False) -> Phrase | None:
    """The proper name that begins at `start`, at most three words; `lower` takes an unknown word without its capital."""
    spans: list[tuple[int, int]] = []
    place = start
    while len(spans) < 3 and (found := _WORD.match(text, place)):
        if not _is_of_name(found[1], lower and not spans):
            break
        if found[1].endswith("'s"):
            break
        spans.append(found.span(1))
        place = found.end()
        if re.match(r"\s*[^\w\s.'&-]", text[place:]):
            break
    if not spans:
        return None
    return Phrase(text[spans[0][0] : spans[-1][1]].rstrip("."), spans[0][0], spans[-1][1])


def _is_of_name(word: str, lower: bool) -> bool:
    if word[:1].isupper():
        return word.lower() not in {"i", "i'm", "i've", "i'll", "i'd"} and (
            word.lower() not in words.STOP or len(word) > 4
        )
    plain = word.lower()
    return (
        lower
        and plain.isalpha()
        and len(plain) > 1
        and words.rarity(plain) >= words.UNKNOWN
        and not plain.endswith(("ed", "ing", "ly", "s"))
    )


def place(text: str, start: int) -> Phrase | None:
    """A place's name: capitals, or words that no list of common words has ("seattle")."""
    rest = start
    article = re.match(r"\s*the\s+", text[start:], re.I)
    if article and not _THE.match(text[start:]):
        return None
    rest += article.end() if article else 0
    spans = _capitals(text, rest) or _unknown(text, rest)
    if not spans:
        return None
    found = Phrase(text[spans[0][0] : spans[-1][1]].rstrip("."), spans[0][0], spans[-1][1])
    return None if found.text.lower() in _NO_PLACE or _ON_THIS.match(text[found.end :]) else found


_THE = re.compile(
    r"\s*the\s+(?:(?:netherlands|philippines|us|u\.s\.|usa|uk|u\.k\.|states|united|bronx|hague|bahamas|maldives|czech|midwest|uae|highlands|alps|"
    r"bay area|gambia|congo|cotswolds|hebrides|ozarks|azores|algarve|pacific northwest|deep south|south west|outer)\b|"
    r"(?:[A-Z]\w+\s+)+(?:islands?|republic|coast|district|area|emirates|valley|isles?|mountains|peninsula)\b)",
    re.I,
)
_ON_THIS = re.compile(r"\s+on\s+(?:this|that)\b")
_NO_PLACE = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november
    december christmas easter english god earth mars heaven hell narnia hogwarts i""".split()
)
_JOINERS = frozenset("of the de la du del di da le les upon on and & y am an der sur".split())


def _capitals(text: str, start: int) -> list[tuple[int, int]]:
    """Spans of a run of words with capitals and the joiners between them ("Rio de Janeiro")."""
    spans: list[tuple[int, int]] = []
    waiting: list[tuple[int, int]] = []
    at = start
    while found := _WORD.match(text, at) or _JOINT.match(text, at):
        word = found[1]
        if word[:1].isupper() and word.lower() not in {"i", "i'm", "i've"}:
            spans += [*waiting, found.span(1)]
            waiting = []
        elif spans and word.lower() in _JOINERS and word.lower() not in {"and", "on", "am", "an"}:
            waiting.append(found.span(1))
        else:
            break
        at = found.end()
    return spans


def _unknown(text: str, start: int) -> list[tuple[int, int]]:
    """A run of words of which the last is no common word ("new york")."""
    spans: list[tuple[int, int]] = []
    at = start
    while len(spans) < 3 and (found := _WORD.match(text, at)):
        if found[1].lower() in _ENDS or found[1].lower() in words.STOP or not found[1].replace("-", "").isalpha():
            break
        spans.append(found.span(1))
        at = found.end()
    while (
        spans
        and words.rarity(text[slice(*spans[-1])].lower()) < words.UNKNOWN
        and text[slice(*spans[-1])].lower() not in _TOWNS
    ):
        spans.pop()
    return spans if len(spans) < 3 else []


_TOWNS = frozenset(
    "city beach england wales ireland france spain china japan india australia america canada mexico africa europe".split()
)


def _skip_leads(text: str, start: int) -> tuple[int, bool, bool]:
    place, owned, article = start, False, False
    if quantity := _QUANTITIES.match(text, place):
        place, article = quantity.end(), True
    while found := _DETERMINER.match(text, place):
        if not _WORD.match(text, found.end()) or _WORD.match(text, found.end())[1].lower() in _ENDS - {
            "a",
            "an",
            "the",
        }:  # type: ignore[index]
            break
        owned = owned or (found[1] or "").lower() in _POSSESSIVES
        article = article or found[1] is not None
        place = found.end()
    return place, owned, article


def _spans(text: str, start: int) -> list[tuple[int, int]]:
    """Spans of the words of a noun phrase."""
    spans: list[tuple[int, int]] = []
    at = start
    while found := _WORD.match(text, at) or (_JOINT.match(text, at) if spans else None):
        word = found[1].lower()
        if word in _ENDS and not _goes_on(text, spans, found):
            break
        if word.endswith(("n't", "'m", "'ve", "'ll", "'re")):
            break
        spans.append(found.span(1))
        at = found.end()
        if word.endswith(".") and len(word) > 4:
            break
    while spans and text[slice(*spans[-1])].lower() in {"of", "the", "a", "an", "&"}:
        spans.pop()
    return spans


def _goes_on(text: str, spans: list[tuple[int, int]], found: re.Match[str]) -> bool:
    """Whether a word that ends phrases belongs to this one: in a title, after "of", after "playing", before a verb's "to"."""
    if not spans:
        return False
    word, before = found[1].lower(), text[slice(*spans[-1])]
    if word in {"a", "an", "the"}:
        return before.lower() == "of" or (len(spans) == 1 and _is_gerund(before)) or _title_goes_on(text, spans, found)
    if (
        word == "to"
        and len(spans) == 1
        and before.lower() in {"going", "listening", "talking", "travelling", "traveling", "dancing"}
    ):
        return True
    return word in {
        "and",
        "in",
        "on",
        "to",
        "for",
        "with",
        "at",
        "from",
        "is",
        "are",
        "be",
        "you",
        "i",
        "my",
        "your",
        "this",
        "that",
        "who",
        "like",
    } and _title_goes_on(text, spans, found)


def _title_goes_on(text: str, spans: list[tuple[int, int]], found: re.Match[str]) -> bool:
    """ "Pride and Prejudice", "Lord of the Rings": capitals before and behind."""
    first, last = text[slice(*spans[0])], text[slice(*spans[-1])]
    behind = _WORD.match(text, found.end())
    is_title = first[:1].isupper() and (last[:1].isupper() or last.lower() in _JOINERS)
    if not (is_title and behind and text[found.end() : found.end() + 1].isspace()):
        return False
    if found[1].lower() in {"and", "in", "at", "from", "with", "on"} and not _looks_like_title(text, spans):
        return False
    return behind[1][:1].isupper() and behind[1].lower() not in {"i", "i'm", "i've"}


def _looks_like_title(text: str, spans: list[tuple[int, int]]) -> bool:
    """Common words with capitals make a title; names of places and people don't take "and" in."""
    return any(words.is_common(text[slice(*span)].lower()) for span in spans)


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and len(word) > 5


def is_kin(text: str) -> bool:
    """Whether this is a relative or a friend rather than a thing."""
    return lexicon.singular(text.lower()) in KIN_WORDS or text.lower() in KIN_WORDS
