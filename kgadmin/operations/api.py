"""Health for programs: a monitor, the runner, a load balancer."""

from django.http import HttpRequest
from ninja import Router, Schema

from kgadmin.operations.health import is_ready, look

router = Router(tags=["health"])


class Health(Schema):
    """`ready`: turns and ingestion work. `parts`: "up", "warming" or "down"; the model also "offline responder"."""

    ready: bool
    parts: dict[str, str]


@router.get("/health", auth=None, response=Health, summary="Whether everything answers")
def health(request: HttpRequest) -> Health:
    """Needs no login and tells no details: those stand on the health page."""
    parts = look()
    return Health(ready=is_ready(parts), parts={part.name: part.answer.state for part in parts})
