"""Entries of the audit log: filtered, and the acts of one press together."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count, F, Max, Q, QuerySet, TextField, Window
from django.db.models.functions import Cast, RowNumber
from django.utils import timezone

from characters.profiles.models import Character
from kgadmin.audit.models import Entry
from kgadmin.operations.audit_log.forms import AuditFilter

PROGRAM = "kgadmin"
"""How an act is called that nobody but the program did."""
MEMBERS_SHOWN = 20
"""Acts of a press that stand in its row; a page of its own has all of them."""


@dataclass(frozen=True, slots=True)
class Press:
    """What was done at once: one act, or those of a batch, of which `acts` has the newest."""

    head: Entry
    acts: tuple[Entry, ...]
    count: int
    verbs: Mapping[str, int]
    """By verb, how many."""


def entries(asked: AuditFilter) -> QuerySet[Entry]:
    """Those that the filter lets through, the newest first."""
    rows = Entry.objects.filter(_exactly(asked))
    if asked.first_day:
        rows = rows.filter(at__gte=_midnight(asked.first_day))
    if asked.last_day and asked.last_day < date.max:
        rows = rows.filter(at__lt=_midnight(asked.last_day + timedelta(days=1)))
    words = asked.q.split()
    if words:
        rows = rows.alias(was=Cast("detail__before", TextField()), now=Cast("detail__after", TextField()))
    for word in words:
        rows = rows.filter(_says(word))
    return rows


def _exactly(asked: AuditFilter) -> Q:
    exact = {name: value for name in ("verb", "subject", "batch") if (value := getattr(asked, name))}
    if asked.character:  # as the log names it; one that isn't there, by a name that it doesn't hold
        character = Character.objects.filter(slug=asked.character).first()
        exact["character"] = character.graph_id if character else "character:0"
    by = {"actor": "" if asked.who == PROGRAM else asked.who} if asked.who else {}
    return Q(**exact, **by)


def _says(word: str) -> Q:
    """In the reason, the note, or what stood there before or after, where SQLite keeps all but ASCII escaped."""
    found = Q(reason__icontains=word) | Q(detail__note__icontains=word)
    for written in {word, json.dumps(word)[1:-1]}:
        found |= Q(was__icontains=written) | Q(now__icontains=written)
    return found


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def heads(found: QuerySet[Entry]) -> QuerySet[Entry]:
    """Of each press the newest act that was found, the newest first."""
    batched = found.exclude(batch="").order_by().values("batch")
    return found.filter(Q(batch="") | Q(pk__in=batched.annotate(newest=Max("pk")).values("newest")))


def presses(shown: list[Entry], found: QuerySet[Entry]) -> list[Press]:
    """What was done together with each of these heads, by three statements however many there are."""
    batches = {head.batch for head in shown} - {""}
    counts: dict[str, dict[str, int]] = {}
    acts: dict[str, list[Entry]] = {}
    if batches:
        theirs = found.filter(batch__in=batches)
        for batch, verb, count in theirs.order_by("verb").values_list("batch", "verb").annotate(Count("pk")):
            counts.setdefault(batch, {})[verb] = count
        place = Window(RowNumber(), partition_by=F("batch"), order_by=F("pk").desc())
        newest = theirs.annotate(place=place).filter(place__lte=MEMBERS_SHOWN).values("pk")
        for entry in Entry.objects.filter(pk__in=[row["pk"] for row in newest]).select_related("detail"):
            acts.setdefault(entry.batch, []).append(entry)
    return [_press(head, acts.get(head.batch, [head]), counts.get(head.batch, {head.verb: 1})) for head in shown]


def _press(head: Entry, acts: list[Entry], verbs: dict[str, int]) -> Press:
    return Press(head, tuple(acts), sum(verbs.values()), verbs)


def actors() -> list[str]:
    """Everybody who did something."""
    names = Entry.objects.order_by("actor").values_list("actor", flat=True).distinct()
    return [name or PROGRAM for name in names]


def verbs() -> list[str]:
    """Everything that was ever done."""
    return list(Entry.objects.order_by("verb").values_list("verb", flat=True).distinct())
