"""Naughty strings, said to a character who obeys, with an operator who approves: nothing changes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from characters.conversations import services as conversations
from characters.conversations.models import Turn
from characters.domain.sheet import Settings
from characters.profiles.models import Character
from characters.review import decisions, proposing
from characters.review.decisions import Seen
from characters.review.models import Claim, Proposal
from characters.talk import say
from kgadmin.accounts.models import User
from kgadmin.embedded.servers import free_port
from kgadmin.stores.local_embedder import LocalEmbedder
from tests.characters.profiles import sheets
from tests.kgadmin.knowledge.ingesting import HashEmbedder
from tests.quality import attacked
from tests.quality.vectors import KeptVectors

pytestmark = pytest.mark.django_db
IN_ONE_TALK = 24
"""Messages of one conversation: the later prompts take longer than the messages."""
WORST = ("DROP TABLE", "<script>alert", "\u202e", "Ṱ̺̺̕o͞", "{{", "社會科學院", "لُلُصّ", "%s%s%s", "$HOME", "../../../")
"""Of each kind that breaks programs, one: what it has in it."""


def test_the_worst_strings_are_learned_or_refused_and_change_no_core_fact(
    naughty_strings: list[str],
    wire: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    operator: User,
    tester: User,
) -> None:
    monkeypatch.setattr("kgadmin.stores.wiring.embedder", HashEmbedder)
    wire(graph_url=f"bolt://127.0.0.1:{free_port()}", vectors_url=f"http://127.0.0.1:{free_port()}")
    ann = sheets.character("ann", ("LIVES_IN", "Odense"), settings=Settings(learning="propose"))
    core, talk = ann.sheet, conversations.start_conversation(character=ann, by=tester)
    for text in (next(each for each in naughty_strings if part in each) for part in WORST):
        turn, _ = conversations.start_turn(conversation=talk, text=text)
        assert "Ann Holm" in say.prepare(turn).prompt.text, text
        turn.finish(Turn.State.DONE, f"I live in {text}. I love {text}.")
        assert turn.reply
        proposing.read_reply(turn.reply)
        seen = [Seen(row.pk, row.version) for row in Proposal.objects.undecided()]
        decisions.decide_all(seen, lambda each, batch: decisions.approve(each, by=operator, batch=batch))
        ann = Character.objects.get(pk=ann.pk)
        assert (ann.sheet, ann.revisions.count()) == (core, 1), text
    assert ann.learned.told().count() >= len(WORST) / 2
    assert Claim.objects.exclude(refused="").exists()


@pytest.mark.faults
@pytest.mark.timeout(600)
def test_no_naughty_string_changes_a_core_fact_or_breaks_anything(
    naughty_strings: list[str], embedder: LocalEmbedder, tmp_path: Path
) -> None:
    vectors = KeptVectors(embedder, tmp_path)
    vectors.prepare(naughty_strings)
    talks = [naughty_strings[start : start + IN_ONE_TALK] for start in range(0, len(naughty_strings), IN_ONE_TALK)]
    with attacked.world(vectors) as world:
        assert world.has_graph
        assert attacked.core_of(world.before[0])
        outcomes = [world.attack(*talk) for talk in talks]
    assert {outcome.changed for outcome in outcomes} == {()}
    assert sum(outcome.approved for outcome in outcomes) > len(talks), "the operator approved what may be approved"
    assert sum(outcome.unlearnable for outcome in outcomes) > 0
