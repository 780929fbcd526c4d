"""The pages of the import: who may, what they show, and what they answer to bad input."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.conversations import exports, import_job, imports
from characters.conversations.models import ConversationImport, Message, Person
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from tests.characters.conversations.export_files import chat, jsonl, line, mes, talk
from tests.characters.profiles import sheets
from tests.pages import HTMX, text_of


@pytest.fixture
def preview(elena: Character, operator: User) -> ConversationImport:
    content = jsonl(*talk(3), b"{", line("Hi", "wizard"))
    return imports.upload(name="ana.jsonl", content=content, by=operator)


@pytest.fixture
def running(preview: ConversationImport, elena: Character, operator: User) -> ConversationImport:
    person = import_job.real_person("Ana")
    imports.start(import_=preview, character=elena, person=person, by=operator)
    return preview


def upload(client: Client, content: bytes, name: str = "ana.jsonl") -> str:
    answer = client.post("/import/upload/", {"file": SimpleUploadedFile(name, content)})
    assert answer.status_code == 302, answer.content.decode()
    return str(answer.headers["Location"])


def choice(elena: Character, who: str = "new", name: str = "Ana") -> dict[str, object]:
    return {"character": elena.slug, "who": who, "name": name}


def test_an_upload_is_shown_before_anything_is_remembered(operator_client: Client, elena: Character) -> None:
    path = upload(operator_client, jsonl(*talk(3), b"{", line("Hi", "wizard"), line("", at=4)))
    text = text_of(operator_client, path)
    assert "One message per line" in text
    assert "nothing is imported yet" in text
    assert "Said between" in text
    assert "14 November 2023" in text
    assert "Not JSON: the line is broken or cut off" in text
    assert "Unknown role “wizard”" in text
    assert f'<option value="{elena.slug}" selected' in text
    assert not Message.objects.exists()
    assert not Person.objects.exists()
    assert not Job.objects.exists()


def test_a_chat_of_sillytavern_names_its_two_sides(operator_client: Client, elena: Character) -> None:
    sheets.character("bo")
    Character.objects.filter(slug="bo").update(name="Bo")
    for named in (elena.name, elena.name.split()[0].upper(), elena.slug):
        text = text_of(operator_client, upload(operator_client, chat(mes("Hi"), mes("Hello.", by=named))))
        assert "SillyTavern chat" in text
        assert f"The person is called Ana, the character {named}." in text
        assert 'value="Ana"' in text
        assert f'<option value="{elena.slug}" selected' in text
    hiding = chat(mes("Hi") | {"name": "A\u200bna"}, user_name="A\u200bna")
    assert "The person is called A<span" in text_of(operator_client, upload(operator_client, hiding))


def test_people_whom_the_file_names_are_listed_and_can_be_chosen(operator_client: Client, elena: Character) -> None:
    path = upload(operator_client, jsonl(*talk(2, person="p7", name="Bea"), *talk(2, "c2", person="p8")))
    text = text_of(operator_client, path)
    assert ("The people named in the file (2)" in text, "p7" in text) == (True, True)
    answer = operator_client.post(f"{path}start/", choice(elena, "file", ""))
    assert answer.status_code == 302
    assert ConversationImport.objects.get().person is None


def test_a_file_that_cannot_be_taken_is_refused_with_a_sentence(
    operator_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MAX_BYTES", 10)
    for content, status, message in (
        (None, 422, "Choose a file first."),
        (b"hello", 422, "No line of the file is a JSON object."),
        (b"x" * 11, 413, "Split it"),
    ):
        given = {} if content is None else {"file": SimpleUploadedFile("a.jsonl", content)}
        answer = operator_client.post("/import/upload/", given)
        assert (answer.status_code, message in answer.content.decode()) == (status, True), message
    assert not ConversationImport.objects.exists()


def test_starting_makes_the_person_and_one_job(
    operator_client: Client, preview: ConversationImport, elena: Character
) -> None:
    for _ in range(2):
        answer = operator_client.post(f"/import/{preview.pk}/start/", choice(elena))
        assert answer.headers["Location"] == f"/import/{preview.pk}/"
    person = Person.objects.get()
    assert (person.namespace, person.name) == ("import", "Ana")
    assert Job.objects.get().subject == f"import:{preview.pk}"
    text = text_of(operator_client, f"/import/{preview.pk}/")
    assert 'hx-trigger="every 1s"' in text
    assert "Pause" in text


def test_a_person_who_cannot_be_taken_is_refused_with_a_sentence_and_another_chosen(
    operator_client: Client, preview: ConversationImport, elena: Character
) -> None:
    import_job.real_person("Ana")
    other = Person.objects.create(namespace="tester:12345", outside_id="1", name="Somebody")
    mark = Person.objects.create(namespace="tester:all", outside_id="mark", name="Mark")
    text = text_of(operator_client, f"/import/{preview.pk}/")
    assert ("Somebody," in text, "Mark, test person" in text) == (False, True)
    for given, message in (
        (choice(elena, str(other.pk), ""), ""),
        (choice(elena, name=""), "Enter a name"),
        (choice(elena, name="Ana"), "Ana is already there"),
    ):
        answer = operator_client.post(f"/import/{preview.pk}/start/", given)
        assert (answer.status_code, message in answer.content.decode()) == (422, True), given
    assert not Job.objects.exists()
    operator_client.post(f"/import/{preview.pk}/start/", choice(elena, str(mark.pk), ""))
    assert ConversationImport.objects.get().person == mark


def test_progress_is_a_fragment_and_ends_with_figures(operator_client: Client, running: ConversationImport) -> None:
    path = f"/import/{running.pk}/progress/"
    assert operator_client.get(path).headers["Location"] == f"/import/{running.pk}/"
    assert "hx-trigger" in operator_client.get(path, headers=HTMX).content.decode()
    job = running.job
    assert job is not None
    runner.run(job.pk)
    text = operator_client.get(path, headers=HTMX).content.decode()
    assert "hx-trigger" not in text
    assert "See what is known about" in " ".join(text.split())
    assert "3" in text


def test_each_state_says_what_it_is_and_what_can_be_done(operator_client: Client, running: ConversationImport) -> None:
    assert running.job is not None
    page, job = f"/import/{running.pk}/", running.job.pk
    assert "Waiting for a worker" in text_of(operator_client, "/import/")
    operator_client.post(f"/jobs/{job}/pause/")
    paused = text_of(operator_client, page)
    assert "Resume" in paused
    assert "hx-trigger" not in paused
    Job.objects.update(state="failed", error="The disk is full.")
    assert "The import stopped: The disk is full." in text_of(operator_client, page)
    Job.objects.update(state="queued", error="")
    operator_client.post(f"/jobs/{job}/cancel/", {"next": page})
    assert "What was imported stays" in text_of(operator_client, page)
    running.refresh_from_db()
    assert bytes(running.content) == b""


def test_a_preview_can_be_discarded_and_a_running_import_cannot(
    operator_client: Client, running: ConversationImport, operator: User
) -> None:
    operator_client.post(f"/import/{running.pk}/discard/")
    assert ConversationImport.objects.filter(pk=running.pk).exists()
    draft = imports.upload(name="b.jsonl", content=jsonl(line("Hi")), by=operator)
    assert "Preview" in text_of(operator_client, "/import/")
    assert operator_client.post(f"/import/{draft.pk}/discard/").headers["Location"] == "/import/"
    assert not ConversationImport.objects.filter(pk=draft.pk).exists()
