"""Why a file isn't taken as a character card."""

from kgadmin.rest.actions import Refused


class CardError(Refused):
    """A file that can't be taken; the text is a sentence that says why and what to do."""
