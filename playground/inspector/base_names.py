"""Names of knowledge bases in place of their slugs, in the evidence of a trace."""

from collections.abc import Mapping
from typing import Any

FIELDS = {"base", "primary", "supplemental", "from_store"}
"""Fields of evidence that hold slugs of bases."""


def with_names(evidence: Any, names: Mapping[str, str]) -> Any:
    """Return the evidence with names in place of slugs; a base that is gone keeps its slug."""
    if isinstance(evidence, list):
        return [with_names(item, names) for item in evidence]
    if not isinstance(evidence, dict):
        return evidence
    return {field: _named(field, value, names) for field, value in evidence.items()}


def _named(field: str, value: Any, names: Mapping[str, str]) -> Any:
    if field == "failed":
        return {names.get(slug, slug): reason for slug, reason in value.items()}
    if field not in FIELDS:
        return with_names(value, names)
    return [names.get(slug, slug) for slug in value] if isinstance(value, list) else names.get(value, value)
