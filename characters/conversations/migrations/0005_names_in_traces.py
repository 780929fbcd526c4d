"""Traces of turns name what they show as the program does now."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BATCH = 200
NAMES = {"told": "shown", "theirs": "person_fact", "hers": "character_fact"}


def rename(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What follow-ups are handed, entries of lore, and common ground."""
    turn, stage = (apps.get_model("conversations", name) for name in ("Turn", "Stage"))
    _change(turn.objects.filter(carried__has_key="said"), "carried", _carried)
    _change(turn.objects.exclude(prompt={}), "prompt", _renamed)
    _change(stage.objects.filter(name__in=["user_facts", "prompt"]), "evidence", _renamed)


def _carried(document: dict[str, Any]) -> dict[str, Any]:
    return {"shown" if key == "said" else key: value for key, value in document.items()}


def _renamed(document: Any) -> Any:
    if isinstance(document, dict):
        return {NAMES.get(key, key): _renamed(value) for key, value in document.items()}
    return [_renamed(each) for each in document] if isinstance(document, list) else document


def _change(rows: models.QuerySet[Any], field: str, renamed: Any) -> None:
    batch: list[Any] = []
    for row in rows.only(field).order_by("pk").iterator(chunk_size=BATCH):
        document = renamed(getattr(row, field))
        if document != getattr(row, field):
            setattr(row, field, document)
            batch.append(row)
        if len(batch) == BATCH:
            rows.model.objects.bulk_update(batch, [field])
            batch.clear()
    rows.model.objects.bulk_update(batch, [field])


class Migration(migrations.Migration):
    dependencies = [("conversations", "0004_messages_by_embedder")]
    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
