"""What a message tells and what it asks, by clause; English only."""

import re
from collections.abc import Collection

from characters.domain import dates, words
from characters.language.sentences import Sentence, split

LONGEST = 2_000
"""Characters of a sentence above which it isn't looked at."""
FIRST_PERSON = frozenset("i me my mine myself i'm i've i'd i'll we our us we're we've".split())
_FORMULAS = re.compile(
    r"\b(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|night|day)|thanks?(?: you)?(?: so much| a lot)?"
    r"|cheers|bye|goodbye|see y(?:ou|a)(?: (?:later|soon|tomorrow))?|take care"
    r"|how(?:'re| are)? (?:you|things|u|ya)(?: doin[g']?)?(?: today)?|how'?s it going|how have you been|what'?s up"
    r"|nice to (?:see|meet) you|talk to you (?:later|soon)|ok(?:ay)?|lol|haha+|you too|long time no see|welcome back"
    r"|have a (?:good|nice|great|lovely) (?:day|evening|night|weekend|one|time)"
    r"|it(?:'?s| was| is) (?:good|nice|great|lovely) to (?:see|hear from|talk to|speak (?:to|with)) you"
    r"|(?:i'm |i am )?(?:thankful|grateful) for your (?:help|time))\b",
    re.IGNORECASE,
)
ASKING = frozenset("remember recall tell talked talk mentioned mention told ask asked say saying remind".split())
"""Words that ask for a memory, or tell that something was said."""
_ABOUT_ONESELF = FIRST_PERSON.union("remember recall know heard said told mentioned talked remind".split())
"""Words of a question about what its writer told."""
_GIVE_ME = re.compile(r"\b(?:tell|give|show|help|teach|let|explain to|recommend|send|write|make) me\b", re.IGNORECASE)
"""Who says "tell me how" only asks for an answer."""
_LEAD = r"(?:(?:and|but|so|or|then|also|hey|oh|ok|okay|well|please)\b\W*)*"
_KNOWN = r"(?:do|does|did|am|is|are|was|were|have|has|had)(?:n['’]?t)?"
_WISHED = r"(?:can|could|would|will|should|shall|may|might)(?:n['’]?t)?"
_SUBJECT = r"\s+(?:i|you|u|ya|we|they|he|she|it)\b"
"""What follows a verb that asks, with or without its mark: "have you", but not "had my wisdom teeth out"."""
_QUESTION_WORD = (
    r"(?:what|which|who|whose|whom|where|when|why|how)(?:['’]?s\b|\b(?!\W+(?:i|we|he|she|they|it|you|the|my|an?)\b))"
)
"""A question word that asks: neither "when I came home" nor "what a day"."""
_ASKS = re.compile(
    rf"(?:^|[,;:–—]\s*|\b(?:and|but|so|or)\s+){_LEAD}(?:(?:{_KNOWN}|{_WISHED}){_SUBJECT}|{_QUESTION_WORD}|any\b)",
    re.IGNORECASE,
)
"""The beginning of a clause that asks."""
_ASKS_AT_ONCE = re.compile(
    rf"\W*{_LEAD}(?:(?:{_KNOWN}|{_WISHED}){_SUBJECT}|{_QUESTION_WORD}|(?:remember(?! that\b)|remind|tell)\b)",
    re.IGNORECASE,
)
"""The beginning of a question, with or without its mark."""
_ASKS_BACK = re.compile(
    rf"\W*{_LEAD}(?:(?:do|did|don['’]?t|can|could) (?:you|u|ya) (?:still )?(?:remember|recall|know)\b"
    r"|(?:did|have|haven['’]?t|didn['’]?t) i (?:ever )?(?:tell|told|mention(?:ed)?)\b|(?:can you )?remind me\b"
    r"|remember (?:my|our|the|what|when|who|where|why|how|which)\b"
    r"|(?:what|which|who|when|where|how (?:old|many|long|much))(?:['’]?s)?\b(?!\W+(?:reminds|i|we|he|she|they|it)\b))"
    r"(?!.{0,80}\b(?:is|are|was|were|has|got) (?!called|named)\w)"
    r"|\W*(?:what|who|when|where|how (?:old|long))(?:['’]s| is| are| was| were)? my\b.{0,40}$",
    re.IGNORECASE,
)
"""The beginning of a question for what was told, which tells nothing itself: neither "Did I tell you my sister is
getting married?" nor "Why does my dog limp?".
"""


def without_formulas(text: str) -> str:
    """Return the text without greetings, thanks and other set phrases."""
    return _FORMULAS.sub(" ", text)


def subject_stems(text: str) -> list[str]:
    """Return the stems of subject words, without formulas, words of time and of asking for a memory."""
    return [
        words.stem(word)
        for word in words.tokens(without_formulas(text))
        if words.without_possessive(word) not in words.STOP and word not in dates.TIME_WORDS and word not in ASKING
    ]


def tells(text: str) -> bool:
    """Return whether a message states something of its writer: "I like short ones, can you make some?", but neither
    "Can you make some for me?" nor "That's great!".
    """
    return any(not FIRST_PERSON.isdisjoint(words.tokens(_stated(each))) for each in split(text, LONGEST))


def questions(text: str) -> list[str]:
    """Return the sentences that ask, with or without a question mark: "remember my dog"."""
    return [each.words.text for each in split(text, LONGEST) if _is_asking(each)]


def asks_for_memory(text: str, names: Collection[str] = ()) -> bool:
    """Return whether a question is about its writer, one of these (in lower case), or asks for a memory."""
    asking = " ".join(_GIVE_ME.sub("", sentence) for sentence in questions(text))
    asked = {words.without_possessive(word) for word in words.tokens(asking)}
    return not asked.isdisjoint(_ABOUT_ONESELF.union(names))


def only_asks_back(text: str) -> bool:
    """Return whether a message does no more than ask for what was told, or of others, so that it tells nothing itself:
    "what's my dog called", "do you have a pet?", but not "Can you plan my trip to Oslo?".
    """
    sentences = [each for each in split(text, LONGEST) if subject_stems(each.words.text)]
    if not sentences or not all(map(_is_asking, sentences)):
        return False
    is_of_others = FIRST_PERSON.isdisjoint(words.tokens(text))
    return is_of_others or (all(_ASKS_BACK.match(each.words.text) for each in sentences) and asks_for_memory(text))


def _is_asking(sentence: Sentence) -> bool:
    return sentence.is_question or _ASKS_AT_ONCE.match(sentence.words.text) is not None


def _stated(sentence: Sentence) -> str:
    """Return what a sentence states before it asks; of a question without such a word nothing."""
    text = sentence.words.text
    if not _is_asking(sentence):
        return text
    clause = _ASKS.search(text)
    return text[: clause.start()] if clause else ""
