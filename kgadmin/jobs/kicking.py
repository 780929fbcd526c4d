"""Tasks whose message may be lost: rows say what is to be done, and beat's sweep finds them."""

import logging
from typing import Any

from celery.contrib.django.task import DjangoTask
from celery.result import AsyncResult
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


class Kick(DjangoTask[Any, Any]):
    """A task that may be asked for while the broker is away: whoever asks has saved its rows, and goes on."""

    def apply_async(self, *args: Any, **kwargs: Any) -> AsyncResult[Any]:
        try:
            return super().apply_async(*args, **kwargs)
        except OperationalError as error:
            log.warning("The broker did not take %s (%s); the next sweep finds what is to do.", self.name, error)
            return self.AsyncResult("not sent")
