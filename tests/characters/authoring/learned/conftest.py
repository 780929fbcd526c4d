"""Stands on the same rows as learned facts themselves."""

from tests.characters.profiles.learned.conftest import ann, learn

__all__ = ["ann", "learn"]
