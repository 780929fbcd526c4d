"""What went into the prompt lately: so that nobody is told the same thing turn after turn."""

from collections.abc import Iterable, Mapping

from characters.turn.request import Carried, ProbeMemory, TurnRequest

KEPT_TURNS = 10
"""Turns of the branch that count for novelty."""
RECENT_TURNS = 3
"""Turns within which what was said isn't said again, unless it is asked for."""


def carried_on(request: TurnRequest, probe: ProbeMemory, items: Iterable[str]) -> Carried:
    """What the follow-up's request carries: the probe's memory, and in which turns each item was said."""
    since = request.turn - KEPT_TURNS
    said = {item: tuple(turn for turn in turns if turn > since) for item, turns in request.said.items()}
    for item in dict.fromkeys(items):
        said[item] = (*said.get(item, ()), request.turn)
    return Carried(probe, {item: turns for item, turns in said.items() if turns})


def times_said(said: Mapping[str, tuple[int, ...]], item: str, turn: int) -> int:
    """How often it was said in the last ten turns."""
    return sum(turn - KEPT_TURNS <= each < turn for each in said.get(item, ()))


def was_just_said(said: Mapping[str, tuple[int, ...]], item: str, turn: int) -> bool:
    """Whether one of the last three turns said it."""
    return any(turn - RECENT_TURNS <= each < turn for each in said.get(item, ()))
