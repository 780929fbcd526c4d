from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, product

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.conversations.models import Message, Turn
from characters.profiles.models import Character
from characters.talk.requests import live_readers, request_for
from characters.turn.calibration import Calibration
from characters.turn.probe import plan, probe
from characters.turn.request import Readers, Vectors
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge import base_index
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.stores.errors import StoreError
from kgadmin.stores.values import Match
from playground.routing import labels, runs
from playground.routing.figures import STEPS, Outcome
from playground.routing.labels import MAX_BYTES
from playground.routing.models import Label, Run
from tests import invented
from tests.kgadmin.stores.exact_index import ExactIndex
from tests.rest import call, get
from tests.turns import asked, asked_in


def upload(client: Client, content: bytes) -> str:
    answer = client.post("/routing/labels/import/", {"file": SimpleUploadedFile("l.csv", content)}, follow=True)
    return answer.content.decode()


def test_labels_come_from_a_form_and_a_csv_file_and_one_message_has_one(
    shelved: Character, tester_client: Client
) -> None:
    tester_client.post("/routing/labels/", {"text": "Who won the bout?", "base": "fencing_club"})
    page = upload(tester_client, "message;base\nWho won  the BOUT?;Glassworks\n\n“Tea?”;none\n".encode())
    assert "2 messages labelled." in page
    assert {(label.text, label.slug) for label in Label.objects.all()} == {
        ("Who won the BOUT?", "glassworks"),
        ("“Tea?”", ""),
    }
    for content, reason in (
        (b"a,fencing_club\nb,no such base\n", "Line 2: There is no knowledge base “no such base”."),
        (b"only one column\n", "Line 1 has one column"),
        (b"a,none\nb,none\nA,fencing_club\n", "Line 3: Line 1 has the same message with another base. Nothing was"),
        (b"sep=;\r\nmessage;base\r\na;no such base\r\n", "Line 3: There is no knowledge base"),
        ("é,none".encode("latin-1"), "UTF-8"),
        (b"x" * (MAX_BYTES + 1), "too large"),
    ):
        assert reason in upload(tester_client, content)
    assert Label.objects.count() == 2, "all of a file, or nothing"
    assert "2 messages labelled." in upload(tester_client, b"sep=;\r\nmessage;base\r\nGlass, lit?;none\r\nA;none\r\n")
    assert Label.objects.filter(text="Glass, lit?", base=None).exists()


def test_a_turn_is_labelled_with_one_press_and_its_label_goes_with_its_message(
    shelved: Character, tester: User, tester_client: Client
) -> None:
    turn = asked(tester, shelved, "Who won the bout on Thursday?")
    turn.stages.create(
        name="probe", position=0, status="ok", started_ms=0, elapsed_ms=1, evidence={"primary": "glassworks"}
    )
    tester_client.post("/routing/labels/", {"turn": turn.pk, "base": "none", "next": "/playground/"})
    label = Label.objects.get()
    assert (label.text, label.slug, label.chosen) == ("Who won the bout on Thursday?", "", "glassworks")
    Message.objects.filter(pk=turn.message_id).delete()
    assert not Label.objects.exists()
    assert not Turn.objects.exists()


def test_a_typed_label_outlives_a_turn_with_the_same_words(shelved: Character, tester: User) -> None:
    text = "Who won the bout on Thursday?"
    labels.save(text, KnowledgeBase.objects.get(slug="fencing_club"), by=tester)
    labels.save(text, None, by=tester, turn=asked(tester, shelved, text))
    Message.objects.all().delete()
    assert [(label.text, label.slug) for label in Label.objects.all()] == [(text, "")]


def test_a_run_counts_and_is_stale_once_a_base_has_changed(
    shelved: Character, operator_client: Client, operator: User
) -> None:
    assert (
        "There are no labelled messages"
        in operator_client.post("/routing/runs/", {"character": "tomasz"}).content.decode()
    )
    for text in ("Where does the shift book lie?", "Good morning to you all!"):
        operator_client.post("/routing/labels/", {"text": text, "base": "glassworks" if "book" in text else "none"})
    other = knowledge.register(name="Elsewhere", by=None)
    other.change(for_everyone=False)
    Label.objects.create(text="of a base out of scope", key="k", base=other)
    address = operator_client.post("/routing/runs/", {"character": "tomasz"}).headers["Location"]
    assert "Waiting for a worker" in operator_client.get(address).content.decode()
    runner.run(Job.objects.get(kind="route").pk)
    run = Run.objects.get()
    report = get(operator_client, f"/routing/runs/{run.pk}")
    assert report["figures"]["count"] == 2
    assert (report["stale"], report["left_out"]) == ([], 1)
    assert sum(count for _, cells in report["rows"] for count, _ in cells) == 2
    base = KnowledgeBase.objects.get(slug="glassworks")
    base.change(content="another")
    page = operator_client.get(address).content.decode()
    assert "Stale: Glassworks has changed since (content" in page
    assert "1 label not run: their base is out of scope." in " ".join(page.split())
    assert "Glassworks over its threshold" in page


def outcomes(character: Character) -> list[Outcome]:
    """What a run over all labels finds."""
    row = runs.start(character, by=None)
    runner.run(Job.objects.filter(kind="route").latest("pk").pk)
    row.refresh_from_db()
    return runs.outcomes_of(row)


def test_a_run_notes_thresholds_and_content_as_it_began(shelved: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    real, before = live_readers(), KnowledgeBase.objects.get(slug="glassworks")

    def embed(texts: Sequence[str]) -> Vectors:
        KnowledgeBase.objects.filter(pk=before.pk).update(own_threshold=0.9, content="another")
        return real.embed(texts)

    monkeypatch.setattr(runs, "live_readers", lambda: replace(real, embed=embed))
    labels.save("Where does the shift book lie?", None, by=None)
    outcomes(shelved)
    assert Run.objects.get().bases["glassworks"] == [before.name, before.content, before.threshold]


def test_a_run_stops_where_a_base_cannot_be_asked(
    shelved: Character, tester_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def query(self: ExactIndex, collection: str, vectors: Vectors, limit: int) -> list[list[Match]]:
        if collection == glassworks.collection:
            raise StoreError("The vector store did not answer.", retryable=False)
        return real(self, collection, vectors, limit)

    real, glassworks = ExactIndex.query, KnowledgeBase.objects.get(slug="glassworks")
    monkeypatch.setattr(ExactIndex, "query", query)
    monkeypatch.setattr(base_index, "read", lambda base: None)
    labels.save("Where does the shift book lie?", None, by=None)
    assert outcomes(shelved) == []
    page = tester_client.get(Run.objects.get().get_absolute_url())
    assert "Glassworks couldn&#x27;t be asked: The vector store did not answer." in page.content.decode()


def test_a_run_is_stale_where_a_threshold_or_the_scope_differs(shelved: Character) -> None:
    labels.save("Where does the shift book lie?", None, by=None)
    outcomes(shelved)
    row, glassworks = Run.objects.get(), KnowledgeBase.objects.get(slug="glassworks")
    for changes, stale in (
        ({"name": "Glass", "description": "Kilns"}, []),
        ({"own_threshold": 0.9}, ["Glass"]),
        ({"own_threshold": None, "enabled": False}, ["Glassworks"]),
        ({"enabled": True}, []),
    ):
        KnowledgeBase.objects.filter(pk=glassworks.pk).update(**changes)
        assert runs.stale_bases(row) == stale, changes
    knowledge.register(name="Reef", by=None)
    assert runs.stale_bases(row) == ["Reef"]


def test_a_corrected_label_is_no_change_of_a_run() -> None:
    def run_of(*outcomes: Outcome) -> Run:
        return Run(outcomes=[each.as_json() for each in outcomes])

    before = run_of(Outcome(1, "reef", "", {}), Outcome(2, "reef", "", {}), Outcome(3, "", "", {}))
    mended, corrected, broken = Outcome(1, "reef", "reef", {}), Outcome(2, "", "", {}), Outcome(3, "", "reef", {})
    assert runs.changes(run_of(mended, corrected, broken, Outcome(4, "", "", {})), before) == ([mended], [broken])


def follow_up(by: User, character: Character, text: str, *, before: str, leaning: str) -> Turn:
    """A turn after one that was about the base `leaning`."""
    first = asked(by, character, before)
    probe = {"message": before, "is_topical": True, "leaning": {leaning: 9.0}}
    Turn.objects.filter(pk=first.pk).update(state=Turn.State.DONE, carried={"probe": probe})
    return asked_in(first.conversation, text)


def label_follow_ups(by: User, character: Character) -> dict[int, Turn]:
    """Turns that follow up one about either base, by their label."""
    ends = ("the night", "the second one", "a left hand", "Thursday", "him", "rain")
    turns = [
        follow_up(by, character, f"And what about {end}?", before="Where does the book lie?", leaning=slug)
        for end, slug in zip(ends, cycle(invented.BASES), strict=False)
    ]
    return {labels.save(turn.message.text, None, by=by, turn=turn).pk: turn for turn in turns}


@pytest.fixture
def decisive(monkeypatch: pytest.MonkeyPatch) -> Readers:
    """Every hit is strong enough, and nothing is like talk: thresholds alone decide."""
    readers = replace(
        live_readers(),
        calibration=lambda _: Calibration(needed=-99.0),
        talk=lambda: np.zeros((1, 16), dtype=np.float32),
    )
    monkeypatch.setattr(runs, "live_readers", lambda: readers)
    return readers


def test_a_label_of_a_turn_is_run_as_that_turn_was(shelved: Character, tester: User, decisive: Readers) -> None:
    turns = label_follow_ups(tester, shelved)
    ran = outcomes(shelved)
    assert any(outcome.chosen for outcome in ran)
    for outcome in ran:
        request = request_for(turns[outcome.label])
        planned = plan(request)
        assert outcome.chosen == probe(request, planned, decisive.embed(planned.texts), decisive)[0].primary


def test_a_sweep_is_what_the_threshold_really_gives(
    shelved: Character, tester: User, decisive: Readers, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [word for texts in invented.BASES.values() for text in texts.values() for word in text.split()]
    for start in range(0, len(words), 12):
        labels.save(" ".join(words[start : start + 12]), None, by=None)
    label_follow_ups(tester, shelved)
    KnowledgeBase.objects.update(own_threshold=0.2)
    swept = outcomes(shelved)
    monkeypatch.setattr(runs, "LIKELY", 0)  # a sweep is made once
    for slug, threshold in product(invented.BASES, STEPS[::2]):
        KnowledgeBase.objects.filter(slug=slug).update(own_threshold=threshold)
        really = {each.label: each.chosen for each in outcomes(shelved)}
        assert really == {each.label: each.chosen_with(slug, threshold) for each in swept}, (slug, threshold)
        KnowledgeBase.objects.filter(slug=slug).update(own_threshold=0.2)


def test_the_api_says_whether_a_run_waits_or_was_cancelled(shelved: Character, operator_client: Client) -> None:
    labels.save("Where does the shift book lie?", None, by=None)
    started = call(operator_client, "POST", "/routing/runs", {"character": "tomasz"}).body
    assert (started["state"], started["finished_at"]) == ("queued", None)
    Job.objects.get(kind="route").cancel()
    assert get(operator_client, "/routing/runs")["items"][0]["state"] == "cancelled"
    assert get(operator_client, f"/routing/runs/{started['id']}")["run"]["state"] == "cancelled"


def test_the_api_labels_and_tries(shelved: Character, operator_client: Client) -> None:
    made = call(operator_client, "POST", "/routing/labels", {"text": "Who won?", "base": "Fencing club"})
    assert (made.status, made.body["base"]) == (201, "fencing_club")
    assert call(operator_client, "POST", "/routing/labels", {"text": " ", "base": "none"}).status == 422
    assert get(operator_client, "/routing/labels")["total"] == 1
    assert call(operator_client, "DELETE", f"/routing/labels/{made.body['id']}").status == 204
    tried = get(operator_client, "/routing?character=tomasz&message=Where+does+the+shift+book+lie%3F")
    assert {each["base"] for each in tried["bases"]} == {"fencing_club", "glassworks"}
    assert tried["verdict"]
