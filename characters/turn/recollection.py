"""What of a message memory is asked: its subject, without greetings, names and dates."""

import re

from characters.domain import dates, words
from characters.turn.request import TurnRequest

FORMULAS = re.compile(
    r"\b(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|night|day)|thanks?(?: you)?(?: so much| a lot)?"
    r"|cheers|bye|goodbye|see y(?:ou|a)(?: (?:later|soon|tomorrow))?|take care"
    r"|how(?:'re| are)? (?:you|things|u|ya)(?: doin[g']?)?(?: today)?|how'?s it going|how have you been|what'?s up"
    r"|nice to (?:see|meet) you|talk to you (?:later|soon)|ok(?:ay)?|lol|haha+|you too|long time no see|welcome back"
    r"|have a (?:good|nice|great|lovely) (?:day|evening|night|weekend|one|time)"
    r"|it(?:'?s| was| is) (?:good|nice|great|lovely) to (?:see|hear from|talk to|speak (?:to|with)) you"
    r"|(?:i'm |i am )?(?:thankful|grateful) for your (?:help|time))\b",
    re.IGNORECASE,
)
LEAST_CONTENT = 2.2
"""Rarity of the words that are left, below which a message has no subject (retrieval recipe C)."""
SMALL_TALK_CONTENT = 8.0
"""Below it a message is small talk where it also resembles some."""
SMALL_TALK_SIMILARITY = 0.5

_ASKING = frozenset("remember recall tell talked talk mentioned mention told ask asked say saying remind".split())


def question(request: TurnRequest) -> str:
    """The message without formulas, the two names, and dates: what is compared with earlier messages."""
    text = dates.without_days(FORMULAS.sub(" ", request.message), request.now)
    names = {name.lower() for full in (request.person, request.sheet.name) for name in full.split()}
    kept = [word for word in text.split() if words.without_possessive(word.strip(".,;:!?").lower()) not in names]
    return " ".join(kept).strip(" ,.;:!-")


def stems(text: str) -> list[str]:
    """Stems of the words that carry the subject; words of time, and of asking for a memory, don't."""
    return [
        words.stem(word)
        for word in words.tokens(text)
        if word not in words.STOP and word not in dates.TIME_WORDS and word not in _ASKING
    ]


def content(text: str) -> float:
    """How much subject is left: the summed rarity of its words, each once."""
    return sum(words.stem_rarity(stem) for stem in set(stems(FORMULAS.sub(" ", text))))
