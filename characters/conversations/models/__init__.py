"""People, conversations, messages, turns and the evidence of each turn's stages."""

from characters.conversations.models.imports import ConversationImport, RefusedLine
from characters.conversations.models.people import (
    DEFAULT_TRUST,
    IMPORTED,
    SHARED_TEST_PEOPLE,
    TESTER,
    Acquaintance,
    Person,
)
from characters.conversations.models.talk import (
    HEART_STOPPED_AFTER,
    RUNNING,
    BaseUse,
    Conversation,
    Memory,
    Message,
    Stage,
    Turn,
    TurnMetrics,
    digest_of,
)

__all__ = [
    "DEFAULT_TRUST",
    "HEART_STOPPED_AFTER",
    "IMPORTED",
    "RUNNING",
    "SHARED_TEST_PEOPLE",
    "TESTER",
    "Acquaintance",
    "BaseUse",
    "Conversation",
    "ConversationImport",
    "Memory",
    "Message",
    "Person",
    "RefusedLine",
    "Stage",
    "Turn",
    "TurnMetrics",
    "digest_of",
]
