"""Tasks that beat kicks."""

from celery import shared_task

from characters.talk import say
from kgadmin.jobs.tasks import Kick


@shared_task(base=Kick)
def end_dead_turns() -> None:
    """End the turns whose web process is gone; beat sends this every 5 s."""
    say.end_dead_turns()
