"""Which learned facts turns may use."""

from characters.domain.sheet import Sheet
from characters.profiles.learned.models import LearnedFact
from characters.profiles.models import Character


def in_use(character: Character, sheet: Sheet) -> list[LearnedFact]:
    """Those of the character that turns with this sheet use: pinned ones first, then the newest, up to the cap."""
    rows = LearnedFact.objects.told().filter(character=character).select_related("predicate").defer("vectors")
    newest = list(rows.order_by("-pinned", "-pk")[: sheet.settings.most_learned])
    return sorted(newest, key=lambda row: row.pk)
