"""Who else has a draft open: told by their pages every few seconds."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from characters.profiles.models import Character, DraftVisit
from kgadmin.accounts.models import User

GONE_AFTER = timedelta(seconds=30)
"""An open page says so every 8 seconds (`static/js/draft.js`)."""


def visit(character: Character, user: User) -> None:
    """Note that this account has the draft open."""
    DraftVisit.objects.update_or_create(character=character, user=user, defaults={"seen_at": timezone.now()})


def others(character: Character, user: User) -> QuerySet[DraftVisit]:
    """Who else has it open."""
    rows = DraftVisit.objects.filter(character=character, seen_at__gte=timezone.now() - GONE_AFTER)
    return rows.exclude(user=user).select_related("user").order_by("user__username")
