from characters.profiles import projection, services, vectors
from characters.profiles.projection import Progress
from kgadmin.projection import services as projecting
from kgadmin.projection.models import Lease
from kgadmin.stores.graph import Graph
from tests.characters.profiles import sheets
from tests.characters.profiles.sheets import sheet


def test_a_publish_goes_into_the_graph_and_then_gets_its_vectors(projected: Graph, predicates: None) -> None:
    ann = sheets.character()
    assert ann.live_revision is not None
    texts = len(vectors.wanted_texts(ann.live_revision.sheet))
    assert projection.publishing(ann) == Progress(1, False, 0, texts, False)
    projecting.sweep()
    assert projection.publishing(ann) == Progress(1, True, texts, texts, True)
    services.publish(ann, sheet=sheet(("LIKES", "fog")), by=None)
    waiting = projection.publishing(ann)
    assert waiting is not None
    assert (waiting.revision, waiting.is_in_graph, waiting.is_done) == (2, False, False)


def test_what_keeps_it_is_said(projected: Graph, predicates: None) -> None:
    ann = sheets.character()
    Lease.objects.create(owner=ann.graph_id, error="The graph does not answer.")
    state = projection.publishing(ann)
    assert state is not None
    assert (state.is_done, state.problem) == (False, "The graph does not answer.")
