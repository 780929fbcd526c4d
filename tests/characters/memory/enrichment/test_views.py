from django.test import Client

from characters.memory.models import EnrichmentRun, Relation
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from tests.characters.memory.enrichment.chats import YOGA, job_of, messages, person
from tests.pages import HTMX, text_of
from tests.scripted_model import ScriptedModel

FORM = {"anchors": "5", "frontier": "3", "floor": "0.45", "threshold": "0.6", "max_calls": "50", "max_tokens": "90000"}


def form(elena: Character, **more: str) -> dict[str, str]:
    return FORM | {"character": elena.slug, "person": ""} | more


def test_the_page_lists_runs(operator_client: Client, run: EnrichmentRun) -> None:
    page = text_of(operator_client, "/enrichment/")
    assert f"Run {run.pk}" in page
    assert "Mark and Elena" in page
    assert "No language model is asked" in page
    assert 'name="without_model"' not in page


def test_a_run_is_started(operator_client: Client, elena: Character, by: User) -> None:
    messages(YOGA, to=elena, by=person(), owner=by)
    answer = operator_client.post("/enrichment/", form(elena, person=str(person().pk), anchors="4", max_calls=""))
    run = EnrichmentRun.objects.get()
    assert run.max_calls == EnrichmentRun().max_calls
    assert answer.headers["Location"] == f"/enrichment/{run.pk}/"
    assert (run.anchors, run.person, run.character, run.model, run.created_by) == (4, person(), elena, "", by)
    assert job_of(run).created_by == by
    again = operator_client.post("/enrichment/", form(elena, anchors="7"))
    page = again.content.decode()
    assert (again.status_code, "is working on these messages" in page, 'value="7"' in page) == (409, True, True)
    assert EnrichmentRun.objects.count() == 1


def test_a_run_uses_the_model_unless_told_otherwise(
    operator_client: Client, model: ScriptedModel, elena: Character
) -> None:
    for more, name in (({}, "scripted"), ({"without_model": "on"}, "")):
        operator_client.post("/enrichment/", form(elena, **more))
        assert EnrichmentRun.objects.latest("pk").model == name
        Job.objects.update(state="done")


def test_a_run_shows_its_figures_and_what_failed(operator_client: Client, run: EnrichmentRun) -> None:
    run.problems.create(kind="unknown class", detail="'<b>Friendship</b>' isn't one of the classes")
    EnrichmentRun.objects.update(unclassified=2, stopped_by="The cap of 2 calls was reached. 5 pairs are left.")
    page = text_of(operator_client, f"/enrichment/{run.pk}/")
    assert "Unknown class" in page
    assert "&lt;b&gt;Friendship" in page
    assert "The cap of 2 calls was reached. 5 pairs are left." in page
    assert "Done" not in page


def test_a_run_polls_while_it_is_open_and_has_the_buttons_of_its_state(
    operator_client: Client, run: EnrichmentRun
) -> None:
    finished = text_of(operator_client, f"/enrichment/{run.pk}/")
    assert "hx-trigger" not in finished
    assert "/jobs/" not in finished
    Job.objects.update(state="running", done=1, total=3, note="Classifying pairs of Mark's messages")
    running = text_of(operator_client, f"/enrichment/{run.pk}/progress/", HTMX)
    assert 'hx-trigger="every 1s"' in running
    assert "Classifying pairs of Mark" in running
    for action in ("pause", "cancel"):
        assert f'action="/jobs/{job_of(run).pk}/{action}/"' in running
    Job.objects.update(state="paused")
    paused = text_of(operator_client, f"/enrichment/{run.pk}/")
    assert "hx-trigger" not in paused
    assert f'action="/jobs/{job_of(run).pk}/resume/"' in paused
    without_script = operator_client.get(f"/enrichment/{run.pk}/progress/")
    assert without_script.headers["Location"] == f"/enrichment/{run.pk}/"


def test_relations_are_shown_with_their_evidence_and_filtered(
    operator_client: Client, run: EnrichmentRun, relation: Relation, elena: Character
) -> None:
    page = text_of(operator_client, "/enrichment/relations/")
    for shown in ("I want to start yoga in the park.", "I changed my mind", relation.evidence, "5 January 2026"):
        assert shown in page
    for query, count in (
        ("relation=Contrast", 2),
        ("relation=Causal&status=drawn", 0),
        ("status=drawn", 2),
        ("status=rejected", 0),
        (f"run={run.pk}", 3),
        ("run=99", 0),
        (f"person={person().pk}&character={elena.slug}", 3),
        ("page=99", 3),
    ):
        answer = operator_client.get(f"/enrichment/relations/?{query}")
        assert (answer.status_code, answer.context["page"].paginator.count) == (200, count), query


def test_a_relation_is_relabelled_where_it_stands(operator_client: Client, by: User, relation: Relation) -> None:
    answer = operator_client.post(
        f"/enrichment/relations/{relation.pk}/relabel/", {"relation": "Elaboration"}, headers=HTMX
    )
    page = answer.content.decode()
    assert f'id="relation-{relation.pk}"' in page
    assert "Relabelled" in page
    assert f"Decided by {by}" in page
    relation.refresh_from_db()
    assert (relation.relation, relation.status) == ("Elaboration", "relabelled")


def test_without_script_a_decision_leads_back_to_the_filtered_list_and_never_elsewhere(
    operator_client: Client, relation: Relation
) -> None:
    back = "/enrichment/relations/?relation=Contrast"
    reject = f"/enrichment/relations/{relation.pk}/reject/"
    assert operator_client.post(reject, {"next": back}).headers["Location"] == f"{back}#relation-{relation.pk}"
    relation.refresh_from_db()
    assert relation.status == "rejected"
    for elsewhere in ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"):
        answer = operator_client.post(reject, {"next": elsewhere})
        assert answer.headers["Location"].startswith("/enrichment/relations/#"), elsewhere
