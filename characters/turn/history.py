"""Which messages of the conversation the prompt has room for."""

from collections.abc import Callable, Sequence

from characters.turn.request import Said

MESSAGE_OVERHEAD = 4
"""Tokens that a chat template adds to a message, roughly."""


def fitting(history: Sequence[Said], budget: int, count: Callable[[str], int]) -> tuple[list[Said], int]:
    """The newest messages that fit, in order, and their tokens."""
    kept: list[Said] = []
    spent = 0
    for said in reversed(history):
        tokens = count(said.text) + MESSAGE_OVERHEAD
        if spent + tokens > budget:
            break
        spent += tokens
        kept.insert(0, said)
    return kept, spent
