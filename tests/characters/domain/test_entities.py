from hypothesis import given
from hypothesis import strategies as st

from characters.domain.entities import Entity, EntityMatcher, key

KNOWN = (
    Entity("1", "Luna", "pet", ("my cat", "Lulu")),
    Entity("2", "Ann", "person"),
    Entity("3", "ocean conservation", "topic"),
    Entity("4", "Will", "person"),
    Entity("5", "boat", "thing"),
    Entity("6", "Zoë", "person"),
    Entity("7", "Luna Park", "place"),
    Entity("8", "reefs", "topic"),
    Entity("9", "Sunny", "pet"),
)
MATCHER = EntityMatcher(KNOWN)


def named(text: str, matcher: EntityMatcher = MATCHER) -> list[tuple[str, str]]:
    return [(id_, part.text) for part in matcher.find(text) for id_ in part.entities]


def test_names_are_found_at_word_borders_in_every_form() -> None:
    cases: tuple[tuple[str, list[tuple[str, str]]], ...] = (
        ("How's Luna doing in the cold?", [("1", "Luna")]),
        ("luna's asleep", [("1", "luna")]),
        ("I gave Lulu a fish", [("1", "Lulu")]),
        ("my cat is ill", [("1", "my cat")]),
        ("We planned it", []),
        ("lunatics and lunar things", []),
        ("two boats", [("5", "boats")]),
        ("a reef at night", [("8", "reef")]),
        ("zoe and ZOË", [("6", "zoe")]),
        ("We went to Luna Park", [("7", "Luna Park")]),
        # a name that is a common word needs its capital
        ("will you come?", []),
        ("Will you come?", []),
        ("I met Will there", [("4", "Will")]),
        ("Will's boat", [("4", "Will"), ("5", "boat")]),
        ("Will has the flu", [("4", "Will")]),
        ("Sunny ate my shoe. Sunny days ahead!", [("9", "Sunny")]),
        ("Will kids like it?", []),
        ("Will and Luna met", [("4", "Will"), ("1", "Luna")]),
    )
    for text, expected in cases:
        assert named(text) == expected, text


def test_a_person_with_a_similar_name_is_somebody_else() -> None:
    people = EntityMatcher((Entity("1", "Kirsten", "person"), Entity("2", "Johanna", "person")))
    assert people.find("Karsten met Joanna", misspelt=True) == ()
    assert [part.text for part in people.find("Kirtsen met Johana", misspelt=True)] == ["Kirtsen", "Johana"]


def test_a_name_of_two_entities_finds_both() -> None:
    matcher = EntityMatcher((Entity("1", "Luna", "pet"), Entity("2", "Luna", "person")))
    assert named("Luna came by", matcher) == [("1", "Luna"), ("2", "Luna")]


def test_the_same_name_written_otherwise_has_the_same_key() -> None:
    for first, other in (("Luna", "LUNA"), ("Zoë", "zoe"), ("the boat", "Boat"), ("ocean  liner", "Ocean liner")):
        assert key(first) == key(other)


@given(st.text(max_size=60))
def test_any_text_can_be_searched_and_places_are_right(text: str) -> None:
    for part in MATCHER.find(text + " Luna " + text):
        full = text + " Luna " + text
        assert full[part.start : part.end] == part.text
