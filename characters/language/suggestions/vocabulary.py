"""Words by what they name, as far as the patterns of suggestions need them."""

from characters.domain import lexicon, people

KIN = {word: f"HAS_{name}" for name, names in people.RELATIVES.items() for word in names} | {
    "sibling": "HAS_SIBLING",
    "child": "HAS_CHILD",
    "mentor": "HAS_MENTOR",
    "rival": "HAS_RIVAL",
    "best friend": "HAS_BEST_FRIEND",
}
"""Relatives and friends by the predicate that says who they are."""

PETS = lexicon.entries("pets") | lexicon.entries("animals of stories") | {"cats", "dogs", "greyhounds"}
PLAYED = lexicon.entries("instruments and games")
DIETS = lexicon.entries("habits of eating")
CONDITIONS = lexicon.entries("lasting conditions")
TRAITS = lexicon.entries("traits")
"""Adjectives that say how somebody is for good: "hungry" and "tall" are none."""
BODY = (
    "eyes|hair|skin|beard|moustache|mustache|freckles|tattoos|horns|wings|fur|tail|ears|build|complexion|hands|scales"
)
NATIONALITIES = lexicon.entries("nationalities")
VAGUE = lexicon.entries("says nothing of a character")
"""As the chief word of an object they say nothing."""
NOT_LIVED_IN = lexicon.entries("not lived in")
FATHERS = ("man", "king", "duke", "baron", "lord", "emperor", "prince", "monk", "priest", "father", "count", "sultan")
MOTHERS = ("woman", "queen", "duchess", "baroness", "lady", "empress", "princess", "witch", "mother", "seamstress",
           "priestess", "countess", "midwife")  # fmt: skip
