"""The one error that an outside engine raises in this program."""


class StoreError(Exception):
    """An outside engine did not do what it was asked.

    `message` is a sentence for a person. The vendor's error is the `__cause__`. `retryable` says whether the same
    call may succeed later without anybody changing anything.
    """

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable
