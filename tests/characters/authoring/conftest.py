"""Stands on the same rows as the sheet itself."""

from tests.characters.profiles.conftest import ann, predicates, projected

__all__ = ["ann", "predicates", "projected"]
