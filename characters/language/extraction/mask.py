"""Blank out what the person doesn't say in earnest: quotations, code, links, jokes, roleplay.

Every function keeps the length of the text, so that offsets stay valid in the message.
"""

import re
from collections.abc import Iterator

from characters.language.sentences import HIDDEN, Stretch, stretches

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_URL = re.compile(r"(?:https?://|www\.)\S+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_CODE_LINE = re.compile(
    r"""^\s*(?:>|\#|//|--|/\*|\*\s|<\w|SELECT\b|INSERT\b|UPDATE\b|const\b|let\s+\w+\s*=|var\s|def\s|class\s\w+[:({]|
    import\s\w+$|from\s\w+\simport|return\b|print\(|\w+\s*=\s*["'\[{(\d]|[{}\[\]]|\$\s|\|)|
    [;{]\s*(?://.*)?$|</?\w+>|♪|♫""",
    re.VERBOSE,
)
_BRACKETS = re.compile(r"\[(?!\W*(?:ooc|ic|rp)\b)[^\[\]\n]*\]", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<!\*)(\*{1,3})(?![\s*])([^*\n]+?)(?<!\s)\1(?!\*)|(?<!\w)_([^_\n]+?)_(?!\w)")
_QUOTED = re.compile(
    r"“[^”]*(?:”|\Z)|«[^»]*»|‘[^’\n]{3,}’(?!\w)|\"[^\"]*(?:\"|\Z)|(?<!\w)'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){2,}'(?!\w)"
)
_NAMING = re.compile(
    r"(?:called|named|name|is|are|love|like|enjoy|hate|adore|play|a|an|the|our|my|cat|dog|be)[,:]?\s*$", re.IGNORECASE
)
"""Words after which a short quotation is a name."""
_SPEECH = re.compile(r"\W*(?:i|i'm|im|i've|my|we|our|he|she|it|they|you)\b", re.IGNORECASE)

_HEROES = "bard|rogue|paladin|warlock|wizard|cleric|sorcerer|druid|barbarian"
_FICTION = re.compile(
    rf"""\blet'?s\s+(?:pretend|say|imagine|play|suppose|role)|\bpretend(?:ing)?\b|\bact\s+out\b|\bcorrect\s+my\b|\byou\s+be\s+(?:the|an?|my)\b|\brole-?\s?play
    |\bin[- ]character\b|^[^\w\n]*\(\(|\b(?:new|next)\s+scene\b
    |\byou(?:'re|\s+are)\s+(?:the|an?|my)\s+\w+(?:\s+\w+)?\s+and\s+i(?:'m|\s+am)\b
    |\b(?:in|for)\s+(?:my|our|this|the|a)\s+(?:\w+\s+)?
      (?:story|novel|book|game|campaign|dream|film|movie|comic|fanfic|script|play|world|scene|adventure|poem|song|tale)\b
    |\bonce\s+upon\b|^[^\w\n]*scene\s*:|\bmy\s+(?:\w+\s+)?(?:oc|character|persona|pc|avatar|alter\s+ego)(?:'s)?\b
    |\bimagine\b|\bsuppose\b
    |\bas\s+(?:a|an|the)\s+(?:\w+\s+)?
      (?:pirate|knight|wizard|vampire|elf|king|queen|dragon|ghost|robot|witch|dwarf)\b
    |\b(?:my|our)\s+(?:\w+\s+)?(?:{_HEROES}|sim|npc|protagonist|hero|heroine|villain)\b
    |\bplay(?:ing)?\s+(?:a|an|the)\s+(?:\w+\s+)?(?:{_HEROES}|knight|role|part|character)\b
    |\b(?:ooc|ic|rp)\s*:|\blyrics?\b|\bsing(?:s|ing)?\s*:|\bi(?:'ll|\s+will)\s+be\s+(?:the|a|an)\b
    |\bfrom\s+now\s+on\s+i(?:'m|\s+am)\b|\bpractis?c?e\s+(?:sentence|dialogue)
    |\bexample\s+(?:sentence|text)|\btest(?:ing)?\s+(?:message|sentence|data|phrase)
    |\btranslate\b|\bparaphrase\b|\brephrase\b|\bproofread\b|\brewrite\b
    |\b(?:the|this)\s+(?:sentence|phrase|prompt|caption|headline|slogan)\b""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
"""Beginnings of a scene, a story or an example: nothing after them is said in earnest."""
_JOKE = re.compile(
    r"""\bj/?k\b|\bjust\ kidding\b|\bkidding!|(?:^|\s)/s\b|\byeah,?\ right\b|\boh,?\ sure\b|\bsure,?\ sure\b
    |\bnot\ really\b\W{0,9}$|\bthat\ was\ a\ (?:lie|joke)
    |\bi(?:'m|\ am)\ (?:kidding|joking|lying)\b|\bas\ if\W{0,9}$""",
    re.IGNORECASE | re.VERBOSE,
)
_IDIOM = re.compile(
    r"""\b(?:fish\ to\ fry|(?:frog|lump)\ in\ (?:my|the|your)\ throat|butterflies\ in|ants\ in\ (?:my|his|her)
    |bees?\ in\ (?:my|the)\ bonnet|elephant\ in\ the\ room|cat\ got\ (?:my|your)|bone\ to\ pick
    |monkey\ on\ (?:my|his|her)\ back|dog\ in\ (?:this|the|that)\ fight|skin\ in\ the\ game|bird\ in\ the\ hand
    |wolf\ at\ the\ door|cow\ over|tiger\ by\ the\ tail|lion's\ share|black\ dog|dark\ horse|ace\ up
    |chip\ on\ (?:my|his|her)\ shoulder|skeletons?\ in|ducks\ in\ a\ row|horse\ in\ this\ race|bats\ in
    |not\ in\ kansas|from\ missouri\ on
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def sentences(message: str) -> Iterator[Stretch]:
    """Yield the sentences that the person may mean: none of a joke, and none once a scene or roleplay has begun."""
    text = clean(message)
    if _JOKE.search(text):
        return
    fiction = _FICTION.search(text)
    limit = fiction.start() if fiction else len(text)
    for sentence in stretches(text):
        if sentence.end > limit:
            return
        if not _IDIOM.search(sentence.text):
            yield sentence


def clean(message: str) -> str:
    """Hide code, quotations and links, and a message with acted parts entirely; straighten apostrophes."""
    text = message.replace("’", "'") if "‘" not in message else message
    for pattern in (_FENCE, _INLINE_CODE, _BRACKETS, _URL):
        text = pattern.sub(lambda match: HIDDEN * len(match.group()), text)
    text = "\n".join(HIDDEN * len(line) if _CODE_LINE.search(line) else line for line in text.split("\n"))
    if any(_is_action(match) for match in _EMPHASIS.finditer(text)):
        return HIDDEN * len(text)
    text = _EMPHASIS.sub(lambda match: re.sub(r"[*_]", " ", match.group()), text)
    return _QUOTED.sub(lambda match: _quoted(match, text), text).replace("’", "'")


def _is_action(match: re.Match[str]) -> bool:
    """Return whether marked text is acted ("*draws my sword*") rather than stressed ("*love*")."""
    inner = match[2] or match[3] or ""
    is_one = len(match[1] or "_") == 1
    return is_one and (
        " " in inner.strip() or (inner.endswith("s") and inner.islower() and not match.string[: match.start()].strip())
    )


def _quoted(match: re.Match[str], text: str) -> str:
    """Keep a quoted name ('a cat called "Luna"'), hide a quoted sentence."""
    inner = match.group()[1:-1]
    is_name = (
        len(inner.split()) <= 5
        and not _SPEECH.match(inner)
        and _NAMING.search(text[max(0, match.start() - 20) : match.start()])
    )
    return f" {inner} " if is_name else HIDDEN * len(match.group())
