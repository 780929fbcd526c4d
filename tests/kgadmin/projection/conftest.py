import pytest
from pytest_django.fixtures import Settings

from tests.kgadmin.projection.shelf import Shelf


@pytest.fixture
def shelf(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> type[Shelf]:
    """The one projector, with three owners that wait."""
    settings.PROJECTORS = ["tests.kgadmin.projection.shelf.Shelf"]
    monkeypatch.setattr(Shelf, "owners", ["a", "b", "c"])
    for name, empty in (("written", []), ("refused", {}), ("differences", []), ("calls", [])):
        monkeypatch.setattr(Shelf, name, empty)
    return Shelf
