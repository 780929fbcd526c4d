"""The log of client programs."""

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from characters.clients.models import ClientRequest
from characters.conversations.models import Person, Turn
from kgadmin.accounts.models import Client

KEEP = timedelta(days=30)
CLEAN_EVERY = 100
"""Requests between two looks for those that are older than `KEEP`."""


def log(
    client: Client,
    action: ClientRequest.Action,
    *,
    model: str = "",
    person: Person | None = None,
    turn: Turn | None = None,
    passed_over: Sequence[str] = (),
    note: str = "",
) -> None:
    """Note a request; of several in a row for the list of models only the newest."""
    if action == ClientRequest.Action.MODELS:
        newest = ClientRequest.objects.filter(client=client).first()
        if newest and newest.action == action:
            ClientRequest.objects.filter(pk=newest.pk).update(at=timezone.now())
            return
    row = ClientRequest.objects.create(
        client=client, action=action, model=model, person=person, turn=turn, passed_over=list(passed_over), note=note
    )
    if row.pk % CLEAN_EVERY == 0:
        ClientRequest.objects.filter(at__lt=timezone.now() - KEEP).delete()


def known_person(client: Client, outside_id: str) -> Person | None:
    """Return the program's person of that id, if they have spoken before."""
    return Person.objects.filter(namespace=client.namespace, outside_id=outside_id).first() if outside_id else None
