"""Find, name and remove hidden characters, which a model reads though nobody sees them. Pure.

Hidden are Unicode's format and control characters, `Default_Ignorable_Code_Point`, and letters that look like blanks,
except where they shape the letter or emoji beside them.
"""

import re
from collections.abc import Callable
from unicodedata import name

_HIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_EMOJI = "\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_SIGNS = "\xa9\xae\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299"
"""Signs that become emoji with a variation selector."""
_JOINED = "\u0620-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af"
"""Scripts whose letters join: Arabic and its relatives, the scripts of India, Burmese, Khmer, Mongolian."""
_IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_FLAGS = "|".join("".join(chr(0xE0000 + ord(each)) for each in flag) for flag in ("gbeng", "gbsct", "gbwls"))
_MEANT = "|".join(
    [
        f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])",
        f"(?<=[{_EMOJI}{_SIGNS}])[\ufe0e\ufe0f]",
        "(?<=[#*0-9])\ufe0f(?=\u20e3)",
        f"\U0001f3f4(?:{_FLAGS})\U000e007f",
        rf"(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}]|\W|$)",
        f"(?<=[{_IDEOGRAPHS}])[\ufe00-\ufe0f\U000e0100-\U000e01ef]",
    ]
)
_RUN = re.compile(f"(?=[\U0001f3f4{_HIDDEN}])(?:(?:{_MEANT})|(?P<hidden>[{_HIDDEN}]+))")


def replaced(text: str, by: Callable[[str], str]) -> str:
    """Replace each run of hidden characters by what `by` returns for it."""
    return _RUN.sub(lambda found: by(found["hidden"]) if found["hidden"] else found.group(), text)


def without(text: str) -> str:
    """Remove hidden characters; runs that are white space become a blank."""
    return replaced(text, lambda run: " " if run.isspace() else "")


def named(character: str) -> str:
    """Describe a character: "U+200B zero width space"."""
    return f"{code(character)} {name(character, 'control character').lower()}"


def code(character: str) -> str:
    """Return a character's code point: "U+200B"."""
    return f"U+{ord(character):04X}"
