"""The pages on people show what memory keeps; so they stand on the same rows and engines."""

from tests.characters.memory.conftest import ann, mark, projected

__all__ = ["ann", "mark", "projected"]
