"""A list of models is asked for when it is old, in the background, and again soon where it failed."""

import threading

from kgadmin.stores.model_list import NOT_YET, CachedModelList, ModelList


class Endpoint:
    """Says what the test tells it to, and counts how often it was asked."""

    def __init__(self) -> None:
        self.clock, self.asked = 0.0, 0
        self.answer = ModelList(("a",))
        self.gate = threading.Event()
        self.gate.set()
        self.list = CachedModelList(self._say, now=lambda: self.clock)

    def _say(self) -> ModelList:
        self.asked += 1
        assert self.gate.wait(10)
        return self.answer


def test_a_list_is_kept_for_a_minute_and_a_failure_for_ten_seconds() -> None:
    endpoint = Endpoint()
    for at, asked in ((0, 1), (59, 1), (61, 2), (100, 2)):
        endpoint.clock = at
        assert endpoint.list.read(10) == ModelList(("a",))
        assert endpoint.asked == asked, at
    endpoint.answer = ModelList(problem="It is down.")
    for at, asked in ((130, 3), (139, 3), (141, 4)):
        endpoint.clock = at
        assert endpoint.list.read(10).problem == "It is down."
        assert endpoint.asked == asked, at


def test_who_does_not_wait_gets_what_is_there_and_an_old_list_is_no_answer() -> None:
    endpoint = Endpoint()
    endpoint.gate.clear()
    assert endpoint.list.read(0).problem == NOT_YET
    endpoint.gate.set()
    assert endpoint.list.read(10).names == ("a",)
    endpoint.gate.clear()
    endpoint.clock = 61
    assert endpoint.list.read(0).problem == NOT_YET
    assert not endpoint.list.read(0).lacks("b")
    endpoint.gate.set()
    assert endpoint.list.read(10).lacks("b")
    assert endpoint.asked == 2
