"""The chores of client programs: titles, tags, summaries, follow-ups, asked of the same address as what people say.

A chore is told by its meaning, compared with a few written here, and by whom it is about: a program says neither “I”
nor “we”. A lone message that quotes a transcript by roles is one, too. Nothing of it is fitted to any program's words.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from characters.clients.openai.lines import ClientLine
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.errors import StoreError

WRITTEN = (
    "Generate a concise title for this conversation. Return only the title.",
    "Create a short title for the chat based on the first message.",
    "You are a title generator. Output only a title.",
    "Summarize the conversation so far in a few sentences for future context.",
    "You are an assistant that summarizes chat history.",
    "Generate tags and keywords for the conversation. Return JSON.",
    "Suggest follow-up questions the user might ask next. Return a JSON array.",
    "Rephrase the follow up question as a standalone search query.",
    "Classify the emotion of the last message. Answer with one word from the list.",
    "Extract facts about the user from the conversation to remember. Return JSON.",
    "Complete the user's unfinished text.",
    "Compress the conversation history into a context checkpoint for another model.",
)
ORDINARY = (
    "You are a helpful assistant. Answer briefly and only with the answer.",
    "You are a character in a roleplay. Stay in character and reply with one paragraph.",
    "Write the character's next reply in a fictional chat.",
    "What is the capital of the country?",
    "What were you talking about?",
    "Can you change the title of the book?",
    "Why do people write prompts like that?",
    "Name three animals.",
    "Summary of the conversation before this: the user keeps fish and asked about food.",
    "These are memories of earlier conversations with the user.",
    "Keep your replies under three sentences.",
    "Use vivid descriptions of emotions in your reply.",
    "Include the character's mood at the end of each message.",
    "Keep the conversation going and bring up new topics.",
    "Remember to stay in character, and never speak for the user.",
    "Focus on the user's last message in your reply.",
    "Speak as in a short chat message.",
)
SIMILAR = 0.44
"""Cosine similarity to one of `WRITTEN` from which a line is a chore, if it isn't more similar to one of `ORDINARY`."""
HEAD_CHARACTERS = 300
"""Characters in which a chore says what it wants."""
LEAST_CHARACTERS = 20
TITLE_WORDS = 5
MAX_TITLE = 60

_OF_PEOPLE = re.compile(
    r"\b(?:i|i'?m|i'?ve|my|mine|me|we|us)\b|.\b(?:you|u)\b(?! (?:are|will|should|must|need))", re.IGNORECASE
)
"""Matches sentences of somebody who speaks of themself, or to the character."""
_ROLE_LABELS = re.compile(
    r"^[\W_]{0,4}(?:role[\W_]{1,4})?(user|human|assistant|ai|bot|model|character)\b[\W_]{0,3}(?::|>)",
    re.IGNORECASE | re.MULTILINE,
)
_SHAPE = re.compile(r'\{\s*"(\w{1,40})"\s*:\s*(\[|")')
_NAMES_IT = re.compile(r"\b(?:titles?|name|topic|headline)\b", re.IGNORECASE)
_LISTS = re.compile(r"\b(?:tags?|keywords?|follow[- ]?ups?|quer(?:y|ies)|questions)\b", re.IGNORECASE)
_USER_LINE = re.compile(r"(?:^|[\n{,])\W*(?:role\W+)?(?:user|human)\W{1,4}(?:\w{4,8}\W{1,4}:\W*)?(\w.+)", re.IGNORECASE)


def is_chore(lines: Sequence[ClientLine], character: str = "", *, streamed: bool = False) -> bool:
    """Return whether the newest line is a chore, or the system line of a request without a history.

    Most system lines say how to reply: those that name the character, and those of a reply that is shown as it comes.
    """
    newest, earlier = lines[-1], lines[:-1]
    if newest.role == "assistant":
        return False
    is_alone = all(line.role == "system" for line in earlier)
    if is_alone and any(_quotes_a_chat(line.text) for line in lines):
        return True
    candidates = [
        line
        for line in (lines if is_alone else [newest])
        if line.role == "user" or not (streamed or (character and character.lower() in line.text.lower()))
    ]
    heads = [head for line in candidates for head in _heads(line.text)]
    if not heads:
        return False
    try:
        similar = wiring.embedder().embed(heads) @ _written(wiring.embedder().id).T
        chores, ordinary = similar[:, : len(WRITTEN)], similar[:, len(WRITTEN) :]
        return bool((chores.max(axis=1) >= np.maximum(ordinary.max(axis=1), SIMILAR)).any())
    except StoreError:  # answered as the character, then: a reply beats none
        return False


def _quotes_a_chat(text: str) -> bool:
    """Return whether the text quotes a chat as programs write it down: by roles, two at least."""
    return len({label.lower() for label in _ROLE_LABELS.findall(text)}) > 1


def _heads(text: str) -> list[str]:
    """Return what the text says first: its first sentence, and its beginning; nothing of somebody's own words."""
    plain = " ".join(re.sub(r"[#*_`<>-]+", " ", text).split())
    first = re.match(rf".{{{LEAST_CHARACTERS},}}?(?:[.!?:](?=\s)|$)", plain[:HEAD_CHARACTERS]) if plain else None
    if first is None or first[0].endswith("?") or text.rstrip().endswith("?") or _OF_PEOPLE.search(first[0]):
        return []
    return list(dict.fromkeys([first[0], plain[:HEAD_CHARACTERS]]))


@cache
def _written(embedder: str) -> Vectors:
    return np.asarray(wiring.embedder().embed((*WRITTEN, *ORDINARY)))


def offline(lines: Sequence[ClientLine], response_format: Mapping[str, Any] | None = None) -> str | None:
    """Return what can be said without a language model: the first words as a title, empty lists; None for the rest."""
    is_alone = not any(line.role == "assistant" for line in lines)
    asked = "\n".join(line.text for line in lines if line is lines[-1] or (is_alone and line.role == "system"))
    title = _first_words(lines)
    if shape := _schema(response_format, title):
        return json.dumps(shape, ensure_ascii=False)
    if match := next((each for each in _SHAPE.finditer(asked) if each[1] not in {"role", "type", "id"}), None):
        key, opening = match.groups()
        return json.dumps({key: [] if opening == "[" else title}, ensure_ascii=False)
    head = asked.strip()[:HEAD_CHARACTERS]
    if _NAMES_IT.search(head):
        return title
    return "[]" if _LISTS.search(head) else None


def _schema(response_format: Mapping[str, Any] | None, title: str) -> dict[str, Any]:
    """Return an object by the JSON Schema that was asked for: titles for texts, empty lists."""
    properties: Any = response_format
    for name in ("json_schema", "schema", "properties"):
        properties = properties.get(name) if isinstance(properties, Mapping) else None
    if not isinstance(properties, Mapping):
        return {}
    empty = {"string": title, "array": [], "number": 0, "integer": 0, "boolean": False, "object": {}}
    kinds = {name: value.get("type") if isinstance(value, Mapping) else "" for name, value in properties.items()}
    return {name: empty.get(str(kind), title) for name, kind in kinds.items()}


def _first_words(lines: Sequence[ClientLine]) -> str:
    """Return the first words that the person said, in the history or in the transcript that the chore quotes."""
    spoken = [line.text for line in lines if line.role == "user"]
    quoted = next((match for text in spoken if (match := _USER_LINE.search(text))), None)
    text = quoted[1] if quoted else spoken[0] if len(spoken) > 1 else lines[-1].text.rpartition("\n")[2]
    words = re.sub(r"[*_`#\"{}\[\]<>|]", "", text).split()[:TITLE_WORDS]
    return " ".join(words)[:MAX_TITLE].strip(".,;:!?- ") or "New chat"
