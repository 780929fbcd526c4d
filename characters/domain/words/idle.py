"""What people say that no knowledge base is about: each installation is calibrated by it.

How near such messages come to a set of bases is how near "nothing of it" is there.
"""

from pathlib import Path

from characters.domain.topics import read_blocks

_BLOCKS = {heading: tuple(lines) for heading, lines in read_blocks(Path(__file__).with_name("idle.txt"))}
SMALL_TALK = _BLOCKS["small talk"]
GENERAL = _BLOCKS["general questions"]
"""Questions of general knowledge, which a base may happen to answer."""
TEXTS = (*SMALL_TALK, *GENERAL)
