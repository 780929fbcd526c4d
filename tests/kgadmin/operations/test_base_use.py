"""Figures of knowledge bases: what they count, and that each opens the turns that it counts."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from characters.conversations.models import BaseUse, Conversation, TurnMetrics
from characters.memory import erasure
from kgadmin.accounts.models import User
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.operations.base_use import Use, figures_of
from kgadmin.operations.periods import PERIODS
from playground.routing.models import Label
from tests.pages import HTMX, text_of
from tests.quality import counted
from tests.rest import call, get

DAY, MONTH = PERIODS["24h"], PERIODS["30d"]


@pytest.fixture
def talk(tester: User) -> Conversation:
    return counted.conversation(tester)


@pytest.fixture
def reef(db: None) -> KnowledgeBase:
    return knowledge.register(name="Reef notes", by=None)


@pytest.fixture
def rules(db: None) -> KnowledgeBase:
    return knowledge.register(name="House rules", by=None)


def turn(
    of: Conversation, uses: dict[KnowledgeBase, dict[str, Any]], text: str = "Hi", *, hours_ago: int = 0
) -> TurnMetrics:
    """A counted turn that asked every base, and what it had of some."""
    asked = list(KnowledgeBase.objects.order_by("pk").values_list("pk", flat=True))
    hits = sum(use.get("hits", 0) for use in uses.values())
    made = counted.turn(of, hours_ago=hours_ago, asked=asked, hits=hits)
    made.message.text = text
    made.message.save()
    for base, use in uses.items():
        BaseUse.objects.create(turn=made, base=base, hour=made.metrics.hour, **use)
    return made.metrics


def label(metrics: TurnMetrics, base: KnowledgeBase | None) -> None:
    message = metrics.turn.message
    Label.objects.create(text=message.text, key=str(message.pk), message=message, base=base)


def use_of(base: KnowledgeBase) -> Use:
    (use,) = figures_of(KnowledgeBase.objects.filter(pk=base.pk), DAY).uses
    return use


CHOSEN = {"hits": 3, "passages": 2, "section": "primary"}


@pytest.fixture
def filled(talk: Conversation, reef: KnowledgeBase, rules: KnowledgeBase) -> None:
    """Five turns of a day and one of before: chosen rightly, chosen falsely twice, supplemental, only hit, nothing."""
    label(turn(talk, {reef: CHOSEN}, "right"), reef)
    label(turn(talk, {reef: CHOSEN, rules: {"hits": 1}}, "another"), rules)
    label(turn(talk, {reef: {**CHOSEN, "passages": 0}}, "none"), None)
    turn(talk, {reef: {"hits": 1, "passages": 1, "section": "supplemental"}, rules: CHOSEN}, "beside")
    label(turn(talk, {}, "nothing"), reef)
    turn(talk, {reef: CHOSEN}, "before", hours_ago=24)


@pytest.mark.engine
def test_figures_are_of_the_turns_that_asked(filled: None, reef: KnowledgeBase, rules: KnowledgeBase) -> None:
    figures = figures_of(KnowledgeBase.objects.all(), DAY)
    first, second = figures.uses
    assert (figures.asked, figures.hit, figures.hit_percent) == (5, 4, 80)
    assert [use.base for use in (first, second)] == [reef, rules], "the most used first"
    assert (first.asked, first.hit, first.primary, first.used, first.false) == (5, 4, 3, 3, 2)
    assert (first.hit_percent, first.primary_percent) == (80, 60)
    assert (first.hits, first.passages) == (10, 5)
    assert (second.asked, second.hit, second.primary, second.used, second.false) == (5, 2, 1, 1, 0)
    assert sum(first.steps) == first.steps[-1] == 4
    assert figures_of(KnowledgeBase.objects.all(), MONTH).uses[0].asked == 6


def test_each_figure_opens_the_turns_that_it_counts(filled: None, reef: KnowledgeBase, tester_client: Client) -> None:
    page = text_of(tester_client, "/knowledge/reef_notes/use/?period=24h", HTMX)
    assert "<html" not in page
    links = set(re.findall(r'href="(/knowledge/reef_notes/turns/[^"]+)"', page))
    shown = {}
    for link in links:
        listed = text_of(tester_client, link.replace("&amp;", "&"))
        messages = re.findall(r'<th scope="row"> <a href="[^"]+/probe/" ?>([^<]+)</a', listed)
        shown[re.findall(r"kind=(\w+)", link)[0]] = messages
    assert shown == {
        "hit": ["beside", "none", "another", "right"],
        "primary": ["none", "another", "right"],
        "used": ["beside", "another", "right"],
        "false": ["none", "another"],
    }
    items = get(tester_client, "/knowledge-bases/reef_notes/turns?kind=false&period=24h")["items"]
    assert [item["message"] for item in items] == ["none", "another"]


def test_who_may_not_read_traces_has_figures_without_links(
    filled: None, author_client: Client, operator_client: Client
) -> None:
    assert "/turns/" not in text_of(author_client, "/knowledge/reef_notes/use/")
    assert "/playground/turns/" not in (page := text_of(operator_client, "/knowledge/reef_notes/turns/"))
    assert re.search(r"/people/\d+/conversations/\d+/\?message=\d+", page), "where an operator reads the message"


def test_the_dashboard_and_the_cards_show_every_base(
    filled: None, reef: KnowledgeBase, operator_client: Client
) -> None:
    knowledge.add_document(base=reef, name="a.md", content=b"# A", by=None)
    reef.documents.update(state="failed")
    page = text_of(operator_client, "/dashboard/")
    assert "80% of 5 turns that asked a base had a hit" in page
    assert page.index("Reef notes</a>") < page.index("House rules</a>")
    (row, *_) = get(operator_client, "/dashboard")["bases"]
    assert (row["slug"], row["hit_percent"], row["failed"]) == ("reef_notes", 80, 1)
    assert row == get(operator_client, "/knowledge-bases/reef_notes/use?period=24h")
    cards = text_of(operator_client, "/knowledge/use-of-bases/", HTMX)
    assert cards.count('hx-swap-oob="true"') == 2
    assert call(operator_client, "GET", "/knowledge-bases/reef_notes/use?period=9d").status == 422


def test_a_base_without_turns_has_no_rates(db: None, reef: KnowledgeBase, operator_client: Client) -> None:
    use = use_of(reef)
    assert (use.hit_percent, use.primary_percent, use.strip) == (None, None, "")
    assert "never" in text_of(operator_client, "/knowledge/use-of-bases/")
    assert "No turns" in text_of(operator_client, "/knowledge/reef_notes/turns/")


def test_figures_go_with_the_person_and_with_the_base(
    filled: None, talk: Conversation, reef: KnowledgeBase, rules: KnowledgeBase
) -> None:
    knowledge.delete(reef, by=None)
    assert set(BaseUse.objects.values_list("base", flat=True)) == {rules.pk}
    again = knowledge.register(name="Reef notes", by=None)
    assert use_of(again).asked == 0, "of the same slug, and another base"
    erasure.forget_person(talk.person, by=None)
    assert not BaseUse.objects.exists()


def test_more_bases_and_turns_cost_no_more_queries(
    talk: Conversation, reef: KnowledgeBase, tester_client: Client
) -> None:
    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            text_of(tester_client, path, HTMX)
        return len(captured)

    paths = ("/knowledge/use-of-bases/", "/knowledge/reef_notes/turns/?kind=false")
    label(turn(talk, {reef: CHOSEN}), None)
    few = [queries(path) for path in paths]
    others = [knowledge.register(name=f"Base {number}", by=None) for number in range(5)]
    for _ in range(5):
        label(turn(talk, {base: CHOSEN for base in (reef, *others)}), others[0])
    assert [queries(path) for path in paths] == few
