"""What the graph is told, by a name that can be imported without its client."""

from typing import Any

Statement = tuple[str, dict[str, Any]]
"""(Cypher, parameters)"""
