"""A preview that differs from the turn is worth nothing: both are held equal."""

from urllib.parse import urlencode

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from characters.conversations.models import Conversation
from characters.profiles.models import Character
from characters.talk.recorder import TurnRecorder
from characters.talk.requests import live_readers, request_for
from characters.turn.assemble import assemble
from characters.turn.trace import as_json
from kgadmin.accounts.models import User
from kgadmin.knowledge.models import KnowledgeBase
from playground.routing.preview import assemble_alone, preview
from playground.routing.snippets import LENGTH, snippet
from tests import invented
from tests.turns import asked

WORDS = sorted({word for texts in invented.BASES.values() for text in texts.values() for word in text.split()})
MESSAGES = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60),
    st.sampled_from(["/help", "Check the fencing club: who won?", "And what about them?"]),
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(message=MESSAGES, thresholds=st.tuples(st.floats(0, 0.8), st.floats(0, 0.8)), is_off=st.booleans())
def test_a_preview_is_the_turn_that_follows(
    shelved: Character, tester: User, message: str, thresholds: tuple[float, float], is_off: bool
) -> None:
    if not message.strip():
        return
    for base, threshold in zip(KnowledgeBase.objects.all(), thresholds, strict=True):
        KnowledgeBase.objects.filter(pk=base.pk).update(own_threshold=threshold)
    KnowledgeBase.objects.filter(slug="glassworks").update(enabled=not is_off)
    turn = asked(tester, shelved, message)
    real = assemble(request_for(turn), live_readers(), TurnRecorder())
    shown = preview(shelved, turn.message.text, KnowledgeBase.objects.all())
    for stage in ("probe", "persona", "documents"):
        assert as_json(getattr(shown.assembled, stage)) == as_json(getattr(real, stage)), stage
    assert shown.assembled.fixed_reply == real.fixed_reply
    assert [each.role for each in shown.bases].count("primary") == bool(real.probe.primary)
    in_prompt = {chunk for passage in real.documents.used for chunk in passage.chunks}
    assert {str(each.chunk.pk) for result in shown.bases for each in result.passages if each.is_used} <= in_prompt
    for result in shown.bases:
        assert all(each.is_hit == (each.similarity >= result.base.threshold) for each in result.passages)
    assert {base.slug for base in shown.unasked} == ({"glassworks"} if is_off else set())
    Conversation.objects.all().delete()


def test_the_page_shows_every_base_and_an_operator_sets_a_threshold_there(
    shelved: Character, operator_client: Client, tester_client: Client
) -> None:
    base = KnowledgeBase.objects.get(slug="fencing_club")
    chunk = base.chunks.select_related("document").first()
    assert chunk
    address = f"/routing/?{urlencode({'q': 'Who keeps the shift book at night?', 'character': 'tomasz'})}"
    page = operator_client.get(address).content.decode()
    assert all(f'href="/knowledge/{slug}/"' in page for slug in invented.BASES)
    assert "Set the threshold here" in page
    assert "Set the threshold here" not in tester_client.get(address).content.decode()
    answer = operator_client.post("/knowledge/fencing_club/threshold/", {"threshold": "0.9", "next": address})
    assert answer.headers["Location"] == address
    assert "0.90" in operator_client.get(address).content.decode()


def test_without_its_engines_the_page_says_what_did_not_answer(
    shelved: Character, tester_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kgadmin.stores import wiring
    from kgadmin.stores.errors import StoreError

    class Down:
        id = "hash"

        def embed(self, texts: object) -> object:
            raise StoreError("The embedder isn't there.")

    monkeypatch.setattr(wiring, "embedder", Down)
    page = tester_client.get("/routing/", {"q": "Who keeps the shift book?", "character": "tomasz"})
    assert (page.status_code, "The embedder isn&#x27;t there." in page.content.decode()) == (200, True)


def test_a_request_from_nobody_assembles_without_person_and_sheet(shelved: Character) -> None:
    from characters.talk.requests import request_from_nobody

    made, _ = assemble_alone(request_from_nobody(shelved, "Who keeps the shift book at night?"))
    assert (made.background.skipped, made.memory.skipped) != ("", "")
    assert made.background.used == ()


def test_a_snippet_is_two_lines_around_the_words_of_the_message() -> None:
    text = "Nothing to see here. " * 30 + "The shift book lies on the desk." + " And so on." * 30
    pieces = snippet(text, "Where is the shift book?")
    shown = "".join(piece.text for piece in pieces)
    assert [piece.text for piece in pieces if piece.is_word][:2] == ["shift", "book"]
    assert len(shown) <= LENGTH + 4
    assert shown.startswith("… ") and shown.endswith(" …")
    assert snippet("Short.", "") == [("Short.", False)]
