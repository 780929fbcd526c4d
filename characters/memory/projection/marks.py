"""Clearing stale marks, and burying what a projector wrote although its row was gone."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Case, F, Model, When

from kgadmin.projection.models import Tombstone

Versions = Mapping[int, int]
"""Primary key to the version that was read."""


def settle(model: type[Model], owner: str, kind: str, written: Versions) -> None:
    """Clear the marks of rows that still have the version that was written.

    A row that has another one is marked (again): a projector that slept may have written over a newer value. A row that
    is gone leaves a tombstone, since its deletion may have been projected before this was written.
    """
    rows: Any = model._default_manager  # every model here has `stale` and `version`
    by_version: dict[int, list[int]] = defaultdict(list)
    for pk, version in written.items():
        by_version[version].append(pk)
    settled = 0
    for version, keys in by_version.items():
        settled += rows.filter(pk__in=keys).update(stale=Case(When(version=version, then=False), default=True))
    if settled < len(written):
        bury_gone(model, owner, kind, list(written))


def bury_gone(model: type[Model], owner: str, kind: str, written: Collection[int]) -> None:
    """Leave tombstones for rows that were written although they are gone."""
    there = set(model._default_manager.filter(pk__in=written).values_list("pk", flat=True))
    gone = [Tombstone(owner=owner, key=f"{kind}:{pk}") for pk in written if pk not in there]
    Tombstone.objects.bulk_create(gone, ignore_conflicts=True)


def mark(model: type[Model], keys: Collection[int]) -> None:
    """Have rows written again, also by a projector that is writing them just now."""
    rows: Any = model._default_manager
    rows.filter(pk__in=keys).update(stale=True, version=F("version") + 1)
