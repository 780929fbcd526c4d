"""The client programs that the pages know: who speaks through each, and the template with its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kgadmin.accounts.models import SpeaksFor

OWN_HEADERS = {"person": "X-Person-Id", "name": "X-Person-Name", "conversation": "X-Conversation-Id"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A client program. `about` says in a line for whom it is; `headers` name person and conversation."""

    slug: str
    name: str
    about: str
    speaks_for: SpeaksFor
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """Return its name within a sentence."""
        return self.name.replace("A ", "a ")

    @property
    def template(self) -> str:
        """Return the template of the lines to set there."""
        return f"clients/_set_{self.slug}.html"


KINDS = {
    kind.slug: kind
    for kind in (
        Kind(
            "open_webui",
            "Open WebUI",
            "Several people, each with chats of their own.",
            SpeaksFor.HEADERS,
            {
                "person": "X-OpenWebUI-User-Id",
                "name": "X-OpenWebUI-User-Name",
                "conversation": "X-OpenWebUI-Chat-Id",
            },
        ),
        Kind("sillytavern", "SillyTavern", "One person’s roleplay.", SpeaksFor.PERSON),
        Kind("librechat", "LibreChat", "Several people, each with chats of their own.", SpeaksFor.HEADERS, OWN_HEADERS),
        Kind("script", "A script", "A bot or any other program that speaks OpenAI’s API.", SpeaksFor.REQUEST),
    )
}


def kind_of(slug: str) -> Kind:
    """Return the kind of that name; a script for any other."""
    return KINDS.get(slug, KINDS["script"])
