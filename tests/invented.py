"""A character and two knowledge bases of the tests' own: no word of the demo's may be needed for a turn."""

from characters.domain.sheet import Concept, Fact, Persona, Sheet

_TOMASZ = """
IS_A: a glassblower at the Mostowa works
HAS_AGE: 52
BORN_IN: Krosno, behind the bottle factory
GREW_UP_IN: Krosno, among crates of straw
HAS_FATHER: Coal miner turned choirmaster
HAS_MOTHER: Painted church windows and kept the accounts of the parish
HAS_BROTHER: Ludwik, a twin, who repairs tractors in Jasło
HAS_GRANDFATHER: Carried bottles to the railway on his back
STUDIED_AT: the glass school of Krosno, four winters
WORKS_ON: a chandelier of nine hundred drops for the opera in Lwów
CHOSE_CAREER_BECAUSE: a travelling glassblower let me hold the pipe at the fair when I was six
LIVES_IN: a flat above a locksmith in Kazimierz
HAS_PET: a one-eyed greyhound called Piast
LIKES: rye bread with lard
LIKES: brass bands before noon
LOVES: the sound of a goblet that cools without cracking
DISLIKES: plastic cutlery
FAVORITE_BOOK: The Street of Crocodiles
FAVORITE_FOOD: sour soup with an egg
HAS_HOBBY: judging sabre bouts on Thursdays
HAS_FEAR: going deaf before the furnace goes out
HAS_DREAM: to blow a bell that can be rung
HAS_FRIEND: Kasia Bielska, who fences left-handed
HAS_HABIT: humming a fifth above the burner
NOTE: I have never broken a thing that wasn't mine
"""


def _facts(table: str) -> tuple[Fact, ...]:
    rows = [line.partition(": ") for line in table.strip().splitlines()]
    return tuple(Fact(f"f{place}", predicate, text) for place, (predicate, _, text) in enumerate(rows))


TOMASZ = Sheet(
    name="Tomasz Wilk",
    identity="You are Tomasz Wilk, a glassblower from Krosno. You talk with {{user}} across the bench.",
    facts=_facts(_TOMASZ),
    personas=(
        Persona("bench", "At the bench", "Answer slowly, the pipe in your hand.", default=True),
        Persona("piste", "Beside the piste", "You judge: be exact.", ("fencing_club",), ("sabre", "bout")),
        Persona("works", "Shift leader", "Steps first, then reasons.", ("glassworks",), ("furnace",)),
    ),
    concepts=(
        Concept("family", ("HAS_FATHER", "HAS_MOTHER", "HAS_BROTHER", "HAS_GRANDFATHER")),
        Concept("career", ("IS_A", "WORKS_ON", "STUDIED_AT", "CHOSE_CAREER_BECAUSE")),
        Concept("origin", ("BORN_IN", "GREW_UP_IN")),
    ),
)
BASES: dict[str, dict[str, str]] = {
    "glassworks": {
        "keeping_the_shift_book.md": (
            "# Keeping the shift book\n\nEvery shift writes into the shift book before it goes: who was there, what "
            "was lit, what broke, and which papers were updated or stamped. An entry in the shift book is never "
            "erased; who was wrong draws a line through it and writes the date beside it.\n\n"
            "## Where it lies\n\nThe shift book lies on the shift desk. Last year's books stand in the office."
        ),
        "shift_book_february.txt": (
            "Shift book, February.\n\n"
            "2 February, early shift: Adam's forklift licence was checked and stamped in the shift office. Burner one "
            "cleaned. Entry by Irena.\n\n"
            "20 February, late shift: the shift book was left open beside the lehr and has a burn on this page."
        ),
        "shift_book_march.txt": (
            "Shift book, March.\n\n"
            "3 March, early shift: Burner two relit after the chimney was swept. Kasia's fencing licence was last "
            "stamped today, in the office, during the lunch break; the stamp is kept in the drawer of the shift desk. "
            "Entry by Tomasz.\n\n"
            "9 March, late shift: Crucible four has a hairline crack. No lead glass in it until it is new.\n\n"
            "17 March, night shift: The lehr stood at 480 degrees all night. Two goblets cracked, one vase held."
        ),
        "furnace_manual.md": (
            "# Furnace manual\n\n## Lighting\n\nOpen the damper by a hand's breadth, purge the line for two minutes "
            "and light burner one from the left. The furnace takes nine hours to reach 1,150 degrees.\n\n"
            "## Annealing\n\nSoda glass rests in the lehr at 510 degrees for an hour per centimetre of its thickest "
            "part, then falls by fifty degrees an hour.\n\n"
            "## Crucibles\n\nA crucible is changed hot, by three people, after ninety melts or at the first crack."
        ),
        "colours.md": (
            "# Colours\n\nCobalt gives blue at a tenth of one per cent. Gold chloride gives ruby, but only when the "
            "glass is struck, which means heated again. Selenium orange fades if the furnace draws too much air."
        ),
    },
    "fencing_club": {
        "crane_bastion.md": (
            "# The meeting at Crane Bastion\n\nThe club had booked the casemate at Crane Bastion for its spring "
            "meeting. Towards noon the Black Sleeves arrived from Opole with eleven sabres and no invitation.\n\n"
            "## After the Black Sleeves arrived\n\nThey challenged the whole club, relay style. Kasia Bielska took the "
            "last bout 45 to 44 with a stop cut to the wrist. The Black Sleeves left their banner at Crane Bastion and "
            "paid for the soup."
        ),
        "kasia_bielska.md": (
            "# Kasia Bielska\n\nLeft-handed, a sabre fencer since she was nine, and captain of the club. She wears a "
            "green mask.\n\n## Style\n\nKasia waits. Whoever comes too near is met by a stop cut to the wrist, and "
            "hears her apologise for it afterwards."
        ),
        "rules_of_the_hall.md": (
            "# Rules of the hall\n\n## Licences\n\nNobody fences without a licence of the federation. "
            "Left-handers hang their masks on the window side.\n\n"
            "## Weapons\n\nA sabre is tested with the two-kilogram weight. A blade with a kink is broken in the vice, "
            "not mended.\n\n## Bouts\n\nA bout goes to five touches or three minutes, a relay to forty-five."
        ),
    },
}
"""By base, its documents and their texts."""
