"""Which parts of a text speak of the character, in earnest? The rest is blanked out.

Every function keeps the length of the text, so that places stay places in it.
"""

import re

HIDDEN = "\x01"
"""Stands for every character that nothing is read out of. No pattern matches it."""

_EXAMPLES = re.compile(
    r"<START>|^[^\w\n]{0,4}(?:example (?:dialogues?|messages?|conversations?)|mes_example)\b", re.I | re.M
)
"""What follows is dialogue to the end."""
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", re.DOTALL)
_STARRED = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?!\*)")
_SPACE = re.compile(r"\S\s.*\S", re.DOTALL)
_BOLD = re.compile(r"\*\*|__|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)")
_QUOTED = re.compile(r"“[^”\n]*(?:”|$)|«[^»\n]*»|\"[^\"\n]*(?:\"|$)", re.MULTILINE)
_NAMING = re.compile(r"(?:called|named|nicknamed|as|is|are|call\w* \w+(?: \w+)?)\s*$", re.IGNORECASE)
_CALL = re.compile(r"\(\s*$|\+\s*$")
_TITLE = re.compile(
    r"(?:motto|favou?rite \w+|catchphrase|tattoo\w*)(?: of \w+)? (?:is|was|has always been)[: ]*$", re.I
)


def masked(text: str) -> str:
    """The text with everything hidden that is quoted, acted, linked, code or example dialogue."""
    text = text.replace("’", "'").replace("‘", "'")
    examples = _EXAMPLES.search(text)
    if examples:
        text = text[: examples.start()] + _hidden(text[examples.start() :])
    text = _CODE.sub(lambda match: _hidden(match.group()), text)
    text = _STARRED.sub(_action, text)
    text = _BOLD.sub(lambda match: " " * len(match.group()), text)
    return _QUOTED.sub(lambda match: _quotation(match, text), text)


def _action(match: re.Match[str]) -> str:
    """*Smiles at you* is acted; *this* is stressed."""
    inner = match[1]
    is_acted = inner == inner.strip() and _SPACE.search(inner)
    return _hidden(match.group()) if is_acted else match.group()


def _hidden(text: str) -> str:
    return re.sub(r"[^\n]", HIDDEN, text)


def _quotation(match: re.Match[str], text: str) -> str:
    """Names and titles in quotation marks keep their words, speech doesn't."""
    before, inner = text[max(0, match.start() - 40) : match.start()], match.group()[1:-1]
    if _CALL.search(before) or len(match.group()) == 1:
        return match.group()
    is_name = _NAMING.search(before) and len(inner.split()) <= 4
    return f" {inner} " if is_name or _TITLE.search(before) else _hidden(match.group())
