"""The models of the rooms below; their tables are those of the app `profiles`."""

from characters.authoring.lint.models import LintReport
from characters.authoring.suggestions.models import SuggestedFact

__all__ = ["LintReport", "SuggestedFact"]
