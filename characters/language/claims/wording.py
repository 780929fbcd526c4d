"""How the tables of English words are written."""

import re

_LINE_BREAK = re.compile(r"\s*\n\s*")


def worded(words: str) -> re.Pattern[str]:
    r"""The pattern for `words`, whatever their case. A space stands for any white space, a line break for nothing."""
    return re.compile(_LINE_BREAK.sub("", words).replace(" ", r"\s+"), re.IGNORECASE)
