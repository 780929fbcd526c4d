"""What the runner raises."""


class StartError(Exception):
    """The start can't go on; the message is for a person."""
