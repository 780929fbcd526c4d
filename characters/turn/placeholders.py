"""Placeholders of an author's text: filled in once, from a closed list; what is filled in is never expanded again."""

import re
from datetime import datetime

_PLACEHOLDER = re.compile(r"\{\{(?:char|user|original)\}\}|\{user_name\}|\{current_datetime\}", re.IGNORECASE)


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
