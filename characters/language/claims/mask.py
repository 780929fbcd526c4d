"""Blank out what the character doesn't say in earnest about itself in a reply.

Every function keeps the length of the text, so that offsets stay valid.
"""

import re

from characters.domain.lexicon import worded
from characters.language.sentences import hidden
from characters.language.suggestions.patterns import masked

_QUOTED = re.compile(r"“[^”]*(?:”|\Z)|„[^“”]*(?:[“”]|\Z)|«[^»]*(?:»|\Z)|\"[^\"]*(?:\"|\Z)")
_CLOSING = "”“»\"'’"
_SINGLE = worded(
    r"""‘[^‘\n]{1,300}?’(?!\w)|(?<![\w'’])'(?!(?:tis|twas|em|n|cause|til|round
    |bout)\b)(?=[A-Za-z])[^'\n]{1,200}(?:'(?=\w)[^'\n]{1,200}){0,8}'(?!\w)"""
)
_FIRST_PERSON = re.compile(r"\b(?:I|my|me|mine|myself)\b|\n", re.IGNORECASE)
_QUOTED_WORDS = 4
_TITLED = re.compile(
    r"\b(?:love|adore|like|enjoy|hate|loathe|detest|dislike|prefer|admire|words?|films?|books?|novels?|songs?|opera"
    r"|movies?|play|poem) $",
    re.IGNORECASE,
)
_BLOCK_QUOTE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_ASIDE = re.compile(r"\([^()\n]{0,400}\)|\[[^\[\]\n]{0,400}\]")
_ACTED = (
    re.compile(r"(?<![*\w])\*(?=[^\s*])[^*]*\n[^*]*\*(?!\w)|~[^~\n]{2,400}~"),
    re.compile(r"(?<![*\w])\*(?=[^\s*])[^*\n]*\s[^*\n]*(?<=[^\s*])\*(?!\*)"),
    re.compile(r"(?:^|(?<=[.!?…]\s)|(?<=[.!?…]))\*\w+\*(?=\s+[^a-z\s]|\s*$)", re.MULTILINE),
)
"""Actions: *smiles at you*, and *laughs* between sentences; *this* within a sentence is stressed."""
_MARKUP = re.compile(r"[*#~]")
_LANGUAGES = (
    "french|spanish|german|italian|latin|greek|portuguese|japanese|english|dutch|russian|gaelic|welsh|chinese|arabic"
)
_SHOWN = (
    r"poem|haiku|limerick|song|lyrics|verse|story|tale|scene|script|dialogue|monologue|example|sample|sentence"
    r"|phrase|line|translation|slogan|speech|draft|letter|template|rap|role|character sheet|quote|statement|version"
    r"|output"
)
_FRAME = worded(
    rf"""(?m)\bonce upon a time\b|\blet(?:'|’)?s (?:pretend|imagine|suppose|play|say)\b|\blet us (?:pretend|imagine
    |suppose)\b|\b(?:pretending|imagining|acting|posing|playing|role-?playing|speaking|writing|answering|talking
    |responding) (?:to be|as|like|that)\b|\b(?:in|out of) character\b|\brole-?play\w*\b|\bfor (?:this|the) (?:scene
    |role|game|bit|part|exercise|sketch|play)\b|\b(?:here(?:'|’)s|here (?:is|are|goes|you go|it is)
    |this is)\s[^.!?\n]{{0,60}}\b(?:{_SHOWN})s?\b|^[^\S\n]*(?:example|sample)s?(?: (?:sentence|phrase|line|dialogue
    |answer|reply)s?)?\s*:|\b(?:repeat(?:ing)? after|as (?:you )?(?:requested|instructed|ordered|commanded|dictated
    |told|asked))\b|\bin (?:{_LANGUAGES})\b|\btranslat\w+|\bthe (?:scene|curtain) (?:opens|rises)\b|\bin (?:this|the
    |that|our) (?:scene|story|game|play|film|song|book|scenario)\b|\bi(?:['’]m| am) (?:playing|pretending|acting
    |channell?ing)\b|\bin (?:his|her|their) voice\b|\bchapter \w+\b"""
)
"""Beginnings of something played, shown or translated, which lasts to the end of the reply."""
_JEST = worded(
    r"""\b(?:just|only|i'm|i am|was|merely|i) (?:kidding|joking|jest(?:ing)?|teasing|messing with you
    |pulling your leg)\b|(?:\.\.\.|…)\s*not\s*(?:[.!]|$)|(?<!no\s)\b(?:kidding|joking)\s*[!.]|(?:^|[\s.!?])NOT!
    |(?<=\s)/s\b|\bi (?:was|am) (?:being )?(?:sarcastic|ironic|facetious)\b"""
)
_SPEAKER = re.compile(
    r"^[ \t>]*(?:\*\*)?(?P<who>[^\W\d_][\w'.-]*(?:[ \t][\w'.-]+){0,3})(?:\*\*)?[ \t]*:(?:\*\*)?(?=\s|$)"
)
_NO_SPEAKER = worded(
    r"""(?:(?:my|a|one|an|the)\s)?(?:\w+\s)?(?:confession|truth|secret|answer|fact|verdict|opinion|rule|thing|things
    |reason|music|food|coral|books?|drinks?|weakness|vice|passion|obsession|easy|favou?rites?(?:\s\w+)*|likes?
    |dislikes?|loves?|hates?)|.*\b(?:i|i'm|i've|my|me|is|are|that's|thing|things)\b.*"""
)


def earnest(reply: str, name: str) -> str:
    """Hide what is quoted, acted, in brackets, shown, translated or another speaker's; a reply with a jest entirely."""
    if _JEST.search(reply):
        return hidden(reply)
    text = _QUOTED.sub(_speech, reply)
    text = _SINGLE.sub(_speech, text)
    text = _BLOCK_QUOTE.sub(lambda quote: hidden(quote.group()), text)
    for acted in _ACTED:
        text = acted.sub(_break, text)
    text = masked(text)
    frame = _FRAME.search(text)
    if frame:
        text = text[: frame.start()] + hidden(text[frame.start() :])
    text = _ASIDE.sub(lambda aside: " " * len(aside.group()), text)
    text = _MARKUP.sub(" ", text)
    return "\n".join(_own_line(line, name) for line in text.split("\n"))


def _speech(match: re.Match[str]) -> str:
    """Hide quotations that are unclosed, long or in the first person; keep names and titles."""
    inner = match.group()[1:-1]
    is_closed = len(match.group()) > 1 and match.group()[-1] in _CLOSING
    if not is_closed or len(inner.split()) > _QUOTED_WORDS or _FIRST_PERSON.search(inner):
        return hidden(match.group())
    before = match.string[max(0, match.start() - 30) : match.start()]
    return f" {inner} " if _TITLED.search(before) else match.group()


def _own_line(line: str, name: str) -> str:
    """Keep the character's own line ("Elena: I love ..."), hide another speaker's ("Captain Jack: I love ...")."""
    speaker = _SPEAKER.match(line)
    if speaker is None:
        return line
    who = speaker["who"].lower()
    if who in {name.lower(), *name.lower().split()}:
        return " " * speaker.end() + line[speaker.end() :]
    return line if _NO_SPEAKER.fullmatch(who) else hidden(line)


def _break(match: re.Match[str]) -> str:
    """Replace an action by an ellipsis, so that no statement spans it."""
    return "…" + re.sub(r"[^\n]", " ", match.group()[1:])
