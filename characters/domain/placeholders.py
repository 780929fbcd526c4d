"""Placeholders of an author's text: filled in once, from a closed list; what is filled in is never expanded again."""

import re
from datetime import datetime

PLACEHOLDERS = ("{{char}}", "{{user}}", "{user_name}", "{current_datetime}")
"""What an author's text may hold to be filled in."""
_PLACEHOLDER = re.compile("|".join(map(re.escape, (*PLACEHOLDERS, "{{original}}"))), re.IGNORECASE)


def expanded(text: str, *, character: str, person: str, now: datetime) -> str:
    """`text` with the names and the time. `{{original}}` stands for a program's own prompt, of which there is none."""
    values = {
        "{{char}}": character,
        "{{user}}": person,
        "{{original}}": "",
        "{user_name}": person,
        "{current_datetime}": f"{now:%A, %d %B %Y, %H:%M %Z}",
    }
    return _PLACEHOLDER.sub(lambda match: values[match.group().lower()], text)
