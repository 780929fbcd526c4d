"""One key for one meaning: trivially other words meet, and nothing else does."""

import pytest

from characters.language.claims.meaning import meaning


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("LOVES", "Staghorn Coral"), ("LIKES", "the staghorn corals")),
        (("ENJOYS", "long walks"), ("LOVES", "a long walk")),
        (("HATES", "jazz"), ("DISLIKES", "Jazz!")),
        (("FAVORITE_COLOR", "deep grey"), ("FAVOURITE_COLOUR", "a deep gray")),
        (("FAVORITE_MOVIE", "Jaws"), ("FAVORITE_FILM", "jaws")),
        (("LIKES", "coloured glass"), ("LIKES", "colored glass")),
        (("LIKES", "to dive at dawn"), ("ENJOYS", "diving at dawn")),
        (("BELIEVES", "that every reef can be saved"), ("HAS_OPINION", "every reef can be saved")),
        (("PREFERS", "tea over coffee"), ("PREFERS", "tea to coffee")),
        (("LIKES", "café"), ("LIKES", "Cafe\u0301s")),
    ],
)
def test_trivially_other_words_mean_the_same(first: tuple[str, str], second: tuple[str, str]) -> None:
    assert meaning(*first) == meaning(*second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("LOVES", "jazz"), ("HATES", "jazz")),
        (("LOVES", "jazz"), ("INTERESTED_IN", "jazz")),
        (("PREFERS", "tea over coffee"), ("PREFERS", "coffee over tea")),
        (("BELIEVES", "jazz is dead"), ("BELIEVES", "jazz is not dead")),
        (("BELIEVES", "art isn't free"), ("BELIEVES", "art is free")),
        (("FAVORITE_COLOR", "red"), ("FAVORITE_SONG", "red")),
        (("LIKES", "海"), ("LIKES", "山")),
        (("LIKES", "🦈"), ("LIKES", "🐙")),
    ],
)
def test_another_meaning_has_another_key(first: tuple[str, str], second: tuple[str, str]) -> None:
    assert meaning(*first) != meaning(*second)
