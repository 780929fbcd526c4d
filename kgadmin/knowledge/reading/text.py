"""Decode bytes as text; read Markdown and plain text."""

import re

from charset_normalizer import from_bytes

from kgadmin.knowledge.reading.kinds import UnreadableError

SAMPLE_BYTES = 200_000
"""Bytes from which the encoding of an old file is guessed: guessing is slow."""
WESTERN, MOST_ACCENTS = "cp1252", 0.2
MAX_CHAOS, MIN_COHERENCE = 0.15, 0.2
"""charset-normalizer's measures of mess and of likeness to a language, 0 to 1. Its own limits, 0.2 and 0.1, also take
broken UTF-8 for Cyrillic."""
_EMBEDDED = re.compile(
    r"(?:^ {0,3}\[[^]\n]{1,200}]:[ \t]*)?<?\bdata:(?:image|audio|video|font|application)/[\w.+-]+(?:;[\w.=-]+)*,"
    r"[^\s<>()\"']*>?",
    re.IGNORECASE | re.MULTILINE,
)


def readable(content: bytes) -> str:
    """Return the text without embedded pictures (`data:` URIs). Raises `UnreadableError`."""
    text = _EMBEDDED.sub("", decoded(content))
    if not text.strip():
        raise UnreadableError("There is no text in this file.")
    return text


def decoded(content: bytes, declared: str = "") -> str:
    """Return the text with plain newlines; `declared` is an encoding that the file names. Raises `UnreadableError`."""
    text = _decoded(content, declared).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise UnreadableError("The file is empty. Upload it again with text in it.")
    if "\0" in text:
        raise UnreadableError("This isn't text: it has null characters in it. Save it as plain text in UTF-8.")
    return text


def _is_utf16(content: bytes) -> bool:
    return content[:2] in {b"\xff\xfe", b"\xfe\xff"}


def _decoded(content: bytes, declared: str) -> str:
    """Decode bytes: UTF-8 and UTF-16 with a mark are certain, older encodings need to be named, or a good guess."""
    certain = ["utf-16"] if _is_utf16(content) else ["utf-8-sig", declared]
    for encoding in (*filter(None, certain), *_guesses(content[:SAMPLE_BYTES])):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    raise UnreadableError("The encoding of this file is broken or unknown. Save it as UTF-8 and upload it again.")


def _guesses(sample: bytes) -> list[str]:
    """Return at most one older encoding; none for broken UTF-8, whose valid part can't be an accident."""
    if any(ord(character) > 127 for character in sample.decode("utf-8", errors="ignore")):
        return []
    matches = [match for match in from_bytes(sample) if match.chaos <= MAX_CHAOS and match.coherence >= MIN_COHERENCE]
    # cp1250 and cp1252 often come out equal for western languages, and cp1252 is by far the more common.
    matches.sort(key=lambda match: (match.chaos, -match.coherence, match.encoding != "cp1252"))
    return [match.encoding for match in matches[:1]] or [WESTERN] * _may_be_western(sample)


def _may_be_western(sample: bytes) -> bool:
    """Return whether a text that is too short to guess is plain but for a few letters, as a small table of Excel's."""
    return sum(byte > 127 for byte in sample) <= len(sample) * MOST_ACCENTS
