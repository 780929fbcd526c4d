"""What somebody would ask to hear a sentence."""

from characters.authoring.lint.question_forms import questions

ASKED = (
    ("I have been to Rome twice.", "Have you been to Rome?"),
    ("I have never seen a desert", "Have you ever seen a desert?"),
    ("I have one dog", "Do you have a dog?"),
    ("I’ve lived in Kiel for 4 years", "Have you lived in Kiel?"),
    ("I like iced tea.", "Do you like iced tea?"),
    ("I grew up in Oslo.", "Did you grow up in Oslo?"),
    ("I loved my time at sea, most of all the nights", "Did you love your time at sea?"),
    ("I planned a trip", "Did you plan a trip?"),
    ("I carried water", "Did you carry water?"),
    ("I can not drive", "Can you drive?"),
    ("I don't drink coffee after noon", "Do you drink coffee after noon?"),
    ("I'm afraid of my own shadow", "Are you afraid of your own shadow?"),
    ("My father is dead", "Is your father dead?"),
    ("Visited Lima in 1999", "Did you visit Lima?"),
)


def test_a_sentence_is_asked_for_as_people_would() -> None:
    for statement, asked in ASKED:
        assert asked in questions(statement), statement
