from characters.language.phrases import Kind
from characters.turn.calibration import Calibration
from characters.turn.choice import BaseScore, Hit, choose
from tests.characters.turn.world import request

OF_BEFORE = BaseScore("lanterns", 0.9, best=0.8, evidence=0.5, hits=1, before=1.0)


def hit(base: str, similarity: float, kind: Kind = "message") -> Hit:
    return Hit("a phrase", base, f"{base}/doc.md/0", "doc.md", "", 0, similarity, 0.4, kind)


def test_a_hit_elsewhere_speaks_against_the_conversations_base_only_where_it_beats_that_bases_own() -> None:
    asked = request("Did the wardens prune anything at the Moonwell?")
    for elsewhere, primary in ((hit("orchard", 0.7), "lanterns"), (hit("orchard", 0.85), "")):
        hits = [hit("lanterns", 0.8), elsewhere]
        chosen = choose(asked, [OF_BEFORE], hits, [], Calibration())
        assert chosen.primary == primary, (elsewhere, chosen.verdict)
    only = choose(asked, [OF_BEFORE], [hit("lanterns", 0.8), hit("orchard", 0.85, "follow-up")], [], Calibration())
    assert only.primary == "lanterns", "what the conversation said before is no hit of this message"
