"""Where a text stands in any store, asked through the stores' own interfaces: for tests of leaks and of forgetting."""

from collections.abc import Iterator

from django.apps import apps
from django.db import models
from django.db.models import TextField
from django.db.models.functions import Cast

from kgadmin.stores import wiring

GRAPH_NODES = "MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties"
GRAPH_EDGES = "MATCH (a)-[e]->(b) RETURN type(e) AS type, a.id AS start, b.id AS end, properties(e) AS properties"


def found_anywhere(marker: str) -> list[str]:
    """Where `marker` stands, whatever its case: rows of every model, nodes and edges, collections."""
    return [*found_in_rows(marker), *found_in_graph(marker), *found_in_vectors(marker)]


def found_in_rows(marker: str) -> list[str]:
    """ "app.Model.column: id" of each row."""
    return [place for model in apps.get_models() for place in _found_in_model(model, marker)]


def _found_in_model(model: type[models.Model], marker: str) -> Iterator[str]:
    for field in model._meta.concrete_fields:
        if isinstance(field, models.BinaryField):
            yield from _found_in_bytes(model, field.attname, marker)
        elif field.get_internal_type() in {"CharField", "TextField", "JSONField", "SlugField", "EmailField"}:
            rows = model._base_manager.annotate(as_text=Cast(field.attname, TextField()))
            for pk in rows.filter(as_text__icontains=marker).values_list("pk", flat=True):
                yield f"{model._meta.label}.{field.attname}: {pk}"


def _found_in_bytes(model: type[models.Model], name: str, marker: str) -> Iterator[str]:
    """Files are uploaded as bytes."""
    for pk, content in model._base_manager.values_list("pk", name).iterator():
        if content and marker.lower().encode() in bytes(content).lower():
            yield f"{model._meta.label}.{name}: {pk}"


def found_in_graph(marker: str) -> list[str]:
    """Nodes and edges of which any property, or the id of an end, holds it."""
    things = [*wiring.graph().scan(GRAPH_NODES), *wiring.graph().scan(GRAPH_EDGES)]
    return [f"graph: {thing}" for thing in things if marker.lower() in repr(thing).lower()]


def found_in_vectors(marker: str) -> list[str]:
    """Rows of any collection whose id, text or metadata hold it."""
    index = wiring.vectors()
    return [
        f"{collection}: {row.id}"
        for collection in index.collections()
        for row in index.rows(collection)
        if marker.lower() in repr(row).lower()
    ]
