"""JSON Schema as endpoints enforce it."""

from collections.abc import Mapping
from typing import Any

_NOT_ENFORCED = frozenset({"title", "default", "minLength", "maxLength", "minimum", "maximum"})
"""Keywords that strict endpoints refuse; whoever asked checks them afterwards."""


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with every property required, no further ones allowed, and without what isn't enforced."""
    plain = {name: _inside(name, value) for name, value in schema.items() if name not in _NOT_ENFORCED}
    if "properties" in schema:
        plain |= {"required": list(schema["properties"]), "additionalProperties": False}
    return plain


def _inside(name: str, value: Any) -> Any:
    if name in {"properties", "$defs"}:  # its keys are names, which may be called "title"
        return {key: strict(each) for key, each in value.items()}
    if isinstance(value, Mapping):
        return strict(value)
    if isinstance(value, list):
        return [strict(each) if isinstance(each, Mapping) else each for each in value]
    return value
