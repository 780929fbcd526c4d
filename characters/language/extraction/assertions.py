"""Find the part of a sentence that is asserted, rather than asked or supposed. Reports are told by the parse."""

import re

_AUXILIARY = (
    r"(?:do|does|did|am|is|are|was|were|have|has|had|can|could|would|will|should|shall|may|might"
    r"|isn't|aren't|don't|doesn't|didn't|can't|won't|wouldn't)"
)
_PRONOUN = (
    r"(?:i|you|he|she|it|we|they|my|your|his|her|our|their|the|this|that|these|those|there|any|anyone|anybody"
    r"|everyone|someone|u|a|an)"
)
_QUESTION = re.compile(
    rf"""(?:(?:so|and|but|ok|okay|hey|hi|well|wait|then|also|or|btw|hmm+|um+|oh)[\s,]+)*
    (?:{_AUXILIARY}\s+{_PRONOUN}\b|{_AUXILIARY}\s+(?-i:[A-Z])
      |(?:what|what's|whats|how|how's|hows|why|where|where's|when|who|who's|whom|whose|which)\b(?!ever)
      |(?:any|got\s+any|know\s+any|ever|guess|wanna|fancy)\b
      |remember\s+(?:my|when|what|who|where|how|if)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_TAG = re.compile(
    r"""\W*(?:right|ok|okay|correct|yes|no|eh|huh|true|remember|really|isn't\ (?:it|that|he|she)|don't\ i|aren't\ i
    |am\ i|do\ i|you\ know|yeah|innit)\W*""",
    re.IGNORECASE | re.VERBOSE,
)
"""Tags that turn what comes before into a question: "..., right?"."""
_BREAK = re.compile(
    r"\s*(?:[,;:–—]|\.\.\.|…|\s-\s)\s*|\s+(?=(?:and|but|so|or|because)\s)",
    re.IGNORECASE,
)

_SUPPOSED = re.compile(
    r"""\b(?:if|unless|whether|in\s+case|maybe|perhaps|possibly|probably|might|wishing|wish|hopefully|apparently
    |allegedly|supposedly|reportedly|rumou?r|according\s+to|joke[sd]?|lied
    |lie\s+(?:and|that)|call(?:s|ed)?\s+me\s+(?:a|an|the)|convinced|insists?|insisted|argues?|argued|quote
    |sometimes\s+i\s+feel|it's\s+not\s+(?:that|like|as)|as\s+though|feels?\s+like|felt\s+like|act(?:s|ed|ing)?\s+like
    |look(?:s|ed)?\s+like|seems?\s+like|supposed\s+to|almost|nearly|so-called
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words after which nothing is asserted."""
_SARCASM = re.compile(
    r"""\W*(?:(?:oh|yeah|ah),?\s+)?
    (?:great|wonderful|fantastic|sure|brilliant|lovely|perfect|awesome|fabulous|of\s+course|oh\s+(?:yes|yeah|joy)),?\s+
    (?:now\s+)?(?:i|we|my|'cause|because)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def asserted(sentence: str) -> str:
    """Return the sentence up to where it asks or supposes; empty if it begins so, or is sarcastic."""
    text = _before_question(sentence)
    if not text or _SARCASM.match(text):
        return ""
    supposed = _SUPPOSED.search(text)
    return text[: supposed.start()] if supposed else text


def _before_question(sentence: str) -> str:
    """Return what comes before the part that asks."""
    if _QUESTION.match(sentence.lstrip(" \t\"'*-")):
        return ""
    if "?" not in sentence:
        return sentence
    asked = sentence[: sentence.index("?")]
    for pause in reversed(list(_BREAK.finditer(asked))):
        tail = asked[pause.end() :]
        if _TAG.fullmatch(tail):
            return ""
        if _QUESTION.match(tail):
            return asked[: pause.start()]
    return ""
