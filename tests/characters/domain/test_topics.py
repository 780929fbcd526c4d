from characters.domain import topics


def test_the_words_of_a_predicate_bring_the_questions_of_its_topics() -> None:
    for predicate, question in (
        ("HAS_FATHER", "What is your father called?"),
        ("GREW_UP_IN", "Where did you grow up?"),
        ("FULL_NAME", "By what name should I address you?"),
        ("BOSS_OF_THE_DEPOT", "Who do you work for?"),
    ):
        assert question in topics.questions(predicate), predicate
    assert topics.questions("ZYLOTH") == ()
