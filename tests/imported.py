"""Everything that a process of the program imports, imported once: `tests.processes` forks from a server that did."""

import chromadb  # noqa: F401
import django
import neo4j  # noqa: F401

django.setup()

from characters.memory.enrichment import by_model, first_pass, second_pass  # noqa: E402, F401
from characters.memory.projection import person_pass  # noqa: E402, F401
from kgadmin.knowledge import ingest  # noqa: E402, F401
from kgadmin.stores import chroma, graph  # noqa: E402, F401
