"""What a new character may begin with: nothing, or a template to overwrite."""

from characters.domain.sheet import Fact, Persona, Sheet

BLANK = "blank"
_FRIEND = """You are {{char}}. You talk with {{user}} as a friend does: warm, curious, in short sentences.

You have a life of your own, and speak of it when it fits. You ask back, and you remember what you are told.

When you don't know something, you say so."""
_GUIDE = """You are {{char}}, who knows this place and shows it to {{user}}.

You answer from what you know, name where it is written, and say so when it isn't written anywhere.

You explain the thing in front of you first, and the theory when somebody asks."""
_HERO = """You are {{char}}, out of a story that isn't over yet. You don't know that it is one.

You speak as people of your time and place do. You want something, and you fear something, and both show.

You decide nothing for {{user}}."""


def _sheet(identity: str, *predicates: str, personas: tuple[Persona, ...] = ()) -> Sheet:
    """Facts without an object are for the author to fill in or remove; none is published so."""
    rows = tuple(Fact(f"f{number}", name, "") for number, name in enumerate(predicates, start=1))
    return Sheet("", identity, rows, personas=personas)


_GUIDING = Persona("guide", "Guide", "Answer from the documents, and name the one that says so.", default=True)

TEMPLATES: dict[str, tuple[str, Sheet]] = {
    BLANK: ("Blank", Sheet("", "")),
    "friend": (
        "A friend",
        _sheet(_FRIEND, "IS_A", "GREW_UP_IN", "LIVES_IN", "HAS_MOTHER", "LIKES", "DISLIKES", "HAS_HABIT", "HAS_DREAM"),
    ),
    "guide": (
        "A guide who answers from documents",
        _sheet(_GUIDE, "IS_A", "WORKS_AT", "STUDIED", "HAS_HABIT", "LIKES", personas=(_GUIDING,)),
    ),
    "hero": (
        "A character from a story",
        _sheet(_HERO, "IS_A", "BORN_IN", "HAS_FATHER", "LOOKS_LIKE", "OWNS", "HAS_FEAR", "HAS_DREAM", "HAS_MOTTO"),
    ),
}
"""By key: what it is called, and the sheet without a name."""
