"""What every action has in common, whether a page's form asks for it or a program."""


class Refused(Exception):
    """What was asked for isn't done. The text is a sentence that says why and what to do; `status` is HTTP's."""

    status = 422

    def __init__(self, sentence: str, *, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status or self.status
