"""Tasks: embed a draft while it is edited (if lost, publishing takes longer), and archive unused facts."""

from celery import shared_task
from django.utils import timezone

from characters.profiles import vectors
from characters.profiles.learned import services as learning
from characters.profiles.models import Draft
from kgadmin.jobs.tasks import Kick


@shared_task
def decay() -> None:
    """Archive old learned facts that were hardly used."""
    learning.decay(timezone.now())


@shared_task(base=Kick)
def embed_draft(draft_id: int) -> None:
    """Make the vectors of a draft's facts."""
    draft = Draft.objects.select_related("character__live_revision").filter(pk=draft_id).first()
    if draft:
        vectors.ensure_draft(draft)
