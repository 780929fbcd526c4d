"""What people change about facts: add, correct, forget."""

import pytest

from characters.conversations.models import Message
from characters.memory import erasure, facts
from characters.memory.models import Entity, UserFact
from characters.profiles.models import Character
from kgadmin.audit.models import Entry
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused
from tests.characters.memory.teller import Teller
from tests.stores_search import found_in_rows


def added(to: Teller, predicate: str, text: str, subject: Entity | None = None) -> UserFact:
    return facts.add(person=to.person, character=to.character, predicate=predicate, text=text, by=None, subject=subject)


def test_an_added_fact_is_certain_and_new_to_everybody_who_reads_and_closes_what_it_contradicts(
    teller: Teller,
) -> None:
    before = teller.facts_version
    fact = added(teller, "OWNS", "  old   kayak ")
    assert (fact.text, fact.confidence, fact.origin, fact.state) == ("old kayak", 1.0, "operator", "current")
    assert fact.evidence.count() == 0
    assert teller.facts_version == before + 1
    assert Job.objects.open().filter(kind="remember", subject=teller.person.graph_id).exists()
    added(teller, "LIVES_IN", "Bergen")
    added(teller, "DISLIKES", "Rain")
    assert teller.closed == [("", "LIKES", "rain"), ("", "LIVES_IN", "Oslo")]
    old = teller.fact("LIVES_IN", "Oslo")
    assert old.closed_at == teller.fact("LIVES_IN", "Bergen").first_seen
    assert ("Luna", "LIKES", "rain") in teller.current


def test_a_corrected_fact_keeps_its_evidence_and_drops_what_nothing_speaks_of(teller: Teller) -> None:
    fact, oslo, before = teller.fact("LIVES_IN"), teller.entity("Oslo"), teller.facts_version
    message = fact.evidence.get().message
    corrected = facts.correct(fact=fact, text="Bergen", by=None)
    assert (corrected.pk, corrected.object.name, corrected.text) == (fact.pk, "Bergen", "Bergen")
    assert (corrected.origin, corrected.confidence, corrected.vector) == ("operator", 1.0, None)
    assert corrected.evidence.get().message == message
    assert not Entity.objects.filter(pk=oslo.pk).exists()
    assert teller.facts_version == before + 1


def test_a_fact_is_about_somebody_else_or_the_character_and_each_can_be_undone(teller: Teller) -> None:
    fact, luna = teller.person.facts.get(subject=None, predicate="LIKES"), teller.entity("Luna")
    was = (fact.subject, fact.predicate, fact.text, fact.origin, fact.confidence)
    facts.correct(fact=fact, text="tea", about=luna, by=None)
    fact.refresh_from_db()
    assert (fact.subject, fact.text) == (luna, "tea")
    facts.undo(fact=fact, by=None)
    fact.refresh_from_db()
    assert (fact.subject, fact.predicate, fact.text, fact.origin, fact.confidence) == was
    facts.set_aside(fact=fact, by=None)
    assert (fact.state, fact in UserFact.objects.current()) == ("closed", False)
    facts.undo(fact=fact, by=None)
    fact.refresh_from_db()
    assert (fact.state, fact.closed_at, fact.subject, fact.text) == ("current", None, was[0], was[2])
    facts.undo(fact=fact, by=None)
    assert (fact.state, fact in UserFact.objects.current()) == ("closed", False), "once more, and it is as it was"
    facts.add(person=fact.person, character=fact.character, predicate=was[1], text=was[2], subject=was[0], by=None)
    with pytest.raises(Refused, match="already known"):
        facts.undo(fact=fact, by=None)
    with pytest.raises(Refused, match="never corrected"):
        facts.undo(fact=teller.fact("LIVES_IN"), by=None)


def test_what_is_corrected_to_another_predicate_closes_what_that_contradicts(teller: Teller) -> None:
    liked = teller.person.facts.get(subject=None, predicate="LIKES")
    with pytest.raises(Refused, match="already known"):
        facts.correct(fact=liked, text="oslo", by=None, predicate="LIVES_IN")
    facts.correct(fact=liked, text="Bergen", by=None, predicate="LIVES_IN")
    assert [fact for fact in teller.current if not fact[0]] == [("", "HAS_PET", "Luna"), ("", "LIVES_IN", "Bergen")]
    assert teller.closed == [("", "LIVES_IN", "Oslo")]


def test_a_fact_of_the_past_is_corrected_there_and_closes_nothing(teller: Teller) -> None:
    fact = teller.fact("LIVES_IN")
    teller.tells("I moved to Paris.")
    facts.correct(fact=fact, text="Bergen", by=None)
    assert (("", "LIVES_IN", "Paris") in teller.current, teller.closed) == (True, [("", "LIVES_IN", "Bergen")])
    facts.undo(fact=fact, by=None)
    assert (("", "LIVES_IN", "Paris") in teller.current, teller.closed) == (True, [("", "LIVES_IN", "Oslo")])


def test_no_undo_overrides_what_was_said_since(teller: Teller) -> None:
    fact = facts.set_aside(fact=teller.fact("LIVES_IN"), by=None)
    teller.tells("I live in Paris.")
    with pytest.raises(Refused, match=r"Mark lives in Paris\. Correct or forget that") as refused:
        facts.undo(fact=fact, by=None)
    assert refused.value.status == 409
    assert (("", "LIVES_IN", "Paris") in teller.current, teller.closed) == (True, [("", "LIVES_IN", "Oslo")])
    facts.forget(fact=teller.fact("LIVES_IN", "Paris"), by=None)
    facts.undo(fact=fact, by=None)
    assert ("", "LIVES_IN", "Oslo") in teller.current


def test_what_is_saved_twice_is_one_correction(teller: Teller) -> None:
    fact = teller.fact("LIVES_IN")
    for _ in range(2):
        facts.correct(fact=fact, text="Bergen", by=None)
    assert facts.undo(fact=fact, by=None).text == "Oslo"
    for _ in range(2):
        facts.set_aside(fact=fact, by=None)
    assert facts.undo(fact=fact, by=None).state == "current"
    assert Entry.objects.filter(subject=fact.graph_id).count() == 4


def test_what_a_fact_said_before_comes_back_at_any_length(teller: Teller) -> None:
    fact, long = teller.fact("LIVES_IN"), "x" * 300
    UserFact.objects.filter(pk=fact.pk).update(text=long)
    facts.correct(fact=fact, text="Bergen", by=None)
    assert facts.undo(fact=fact, by=None).text == long


@pytest.mark.parametrize("what", ["the conversation", "the facts", "the messages"])
def test_whoever_is_forgotten_stands_in_no_correction_and_no_undo_brings_them_back(teller: Teller, what: str) -> None:
    other = Teller(teller.person, teller.character)
    other.tells("My friend Zelda likes jazz.")
    fact, zelda = teller.person.facts.get(subject=None, predicate="LIKES"), teller.entity("Zelda")
    facts.correct(fact=fact, text="rain", about=zelda, by=None)
    named = teller.person.facts.get(object=zelda), teller.person.facts.get(object__name="jazz")
    if what != "the facts":
        facts.correct(fact=named[0], text="Ida", by=None)
        facts.correct(fact=named[1], text="jazz", about=teller.person, by=None)
    facts.undo(fact=fact, by=None)
    if what == "the conversation":
        erasure.forget_conversation(other.conversation, by=None)
    elif what == "the messages":
        erasure.withdraw(other.conversation, list(other.conversation.messages.values_list("pk", flat=True)))
    else:
        for about_zelda in named:
            facts.forget(fact=about_zelda, by=None)
    assert not [place for place in found_in_rows("Zelda") if place.startswith(("audit.", "memory."))]
    with pytest.raises(Refused, match="nothing to undo"):
        facts.undo(fact=fact, by=None)


def test_a_forgotten_fact_is_gone_with_what_it_alone_named_and_does_not_come_back(teller: Teller) -> None:
    fact, oslo, before = teller.fact("LIVES_IN"), teller.entity("Oslo"), teller.facts_version
    facts.forget(fact=fact, by=None)
    assert not Entity.objects.filter(pk=oslo.pk).exists()
    assert teller.facts_version == before + 1
    teller.read()
    assert ("", "LIVES_IN", "Oslo") not in teller.current
    assert Message.objects.filter(text__contains="Oslo").exists()


def test_an_entity_of_which_more_is_known_stays(teller: Teller) -> None:
    facts.forget(fact=teller.fact("HAS_PET"), by=None)
    assert teller.entity("Luna")
    facts.forget(fact=teller.person.facts.get(subject=None, predicate="LIKES"), by=None)
    assert teller.entity("rain").facts_to.count() == 1


def test_another_characters_knowledge_is_left_alone(teller: Teller, bo: Character) -> None:
    other = Teller(teller.person, bo)
    other.tells("I live in Oslo.")
    before = other.facts_version
    facts.forget(fact=teller.person.facts.get(character=teller.character, predicate="LIVES_IN"), by=None)
    assert (other.current, other.facts_version) == ([("", "LIVES_IN", "Oslo")], before)
    assert teller.entity("Oslo")


def test_what_a_message_says_to_be_over_ends_when_it_is_read_and_nothing_else_does(teller: Teller) -> None:
    teller.tells("I have a dog called Rex.", "I own an old kayak.", "My daughter is called Mia. I love coffee.")
    teller.tells("My brother sold his kayak. If Rex died I would cry.", "Mia's hamster died.")
    held = {("", "HAS_PET", "Rex"), ("", "OWNS", "old kayak"), ("", "HAS_DAUGHTER", "Mia"), ("", "LIKES", "coffee")}
    assert held <= set(teller.current)
    teller.tells("Got rid of the old kayak, it leaked.", "Our dog Rex died.")
    assert set(teller.current) & held == {("", "HAS_DAUGHTER", "Mia"), ("", "LIKES", "coffee")}
    assert not [fact for fact in teller.current if "Rex" in fact], "nor is it a dog any more"


def test_who_is_no_sister_stops_being_one_and_ones_own_name_says_nothing(teller: Teller) -> None:
    teller.tells("My sister Ottoline is a nurse.", "Ottoline isn't my sister, she's my cousin. My name is Mark.")
    assert ("", "HAS_SISTER", "Ottoline") not in teller.current
    assert not [fact for fact in teller.current if fact[1] == "NAMED"]
