"""A background's YAML as its author wrote it, brought up to date where the sheet changed elsewhere.

Values are replaced where they stand: comments, quotes and order of what didn't change stay as they are. A comment
directly above a fact belongs to it.
"""

from collections.abc import Iterator
from typing import Any

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from characters.authoring.drafts import yaml_patch, yaml_source
from characters.authoring.drafts.parts import Document
from characters.authoring.drafts.yaml_patch import Row
from characters.authoring.drafts.yaml_source import Edit, Source, UnusualError
from characters.profiles import documents, folder
from characters.profiles.documents import SheetError
from characters.profiles.sheet_yaml import YamlError

OTHER_KEYS = ("name", "runtime_facts", *folder.PARTS)
LISTS = ("facts", "core_facts")


def write(document: Document) -> str:
    """The YAML of a sheet that nobody wrote as YAML."""
    return folder.texts_of(documents.load(document))[folder.BACKGROUND_FILE]


def updated(text: str, before: Document, after: Document) -> str:
    """`text`, which says what `before` says, made to say what `after` says."""
    if not text.strip():
        return write(after)
    before, after = (documents.dump(documents.load(each)) for each in (before, after))
    if _told(before) == _told(after):
        return text
    try:
        told = _updated(text, before, after)
        if _says(told, after):
            return told
    except (YamlError, SheetError, UnusualError):
        pass
    return write(after)  # written in a way that can't be changed in place: true, and without its comments


def _says(text: str, document: Document) -> bool:
    """Whether the text has this content."""
    read = documents.dump(folder.parse(document["identity"], text, name=document["name"], unfinished=True).sheet)
    return _told(read) == _told(document)


def _told(document: Document) -> Document:
    """What YAML says of a document."""
    return document | {"facts": [_without_id(fact) for fact in document["facts"]], "identity": ""}


def _without_id(fact: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fact.items() if key != "id"}


def _updated(text: str, before: Document, after: Document) -> str:
    source, root = Source(text), yaml_source.read(text)
    there = {key.value: value for key, value in root.value}
    old, new = ({key: each.get(key) for key in OTHER_KEYS} for each in (before, after))
    if not any(key in there for key in LISTS):
        old["facts"], new["facts"] = [], [folder.fact_row(fact) for fact in after["facts"]]
    facts = [edit for key in LISTS if key in there for edit in _facts(source, root, key, before, after)]
    others = yaml_patch.mapping(source, root, old, new, {*OTHER_KEYS, "facts"})
    told = yaml_source.applied(text, [*facts, *others])  # of those in one place new keys come last
    return told if told.endswith("\n") else f"{told}\n"


def _facts(source: Source, root: MappingNode, name: str, before: Document, after: Document) -> Iterator[Edit]:
    there = {key.value: (key, value) for key, value in root.value}
    key, node = there[name]
    offset = _length(there["facts"][1]) if name == "core_facts" and "facts" in there else 0
    old = before["facts"][offset : offset + _length(node)]
    wanted = _facts_of(name, {each: _length(value) for each, (_, value) in there.items()}, before, after)
    places = {fact["id"]: place for place, fact in enumerate(old)}
    slot = yaml_patch.slot_of(source, root, key)
    if isinstance(node, SequenceNode):
        rows = [_row(node, old, places.get(fact["id"]), fact) for fact in wanted]
        yield from yaml_patch.sequence(source, node, rows, slot)
    else:
        yield from yaml_patch.changed(source, node, [], [folder.fact_row(fact) for fact in wanted], slot)


def _length(node: Node) -> int:
    return len(node.value) if isinstance(node, SequenceNode) else 0


def _facts_of(key: str, lengths: dict[str, int], before: Document, after: Document) -> list[dict[str, Any]]:
    """Which facts stand under this key: where both lists are there, new ones come under the second."""
    if not all(each in lengths for each in LISTS):
        return list(after["facts"])
    first = {fact["id"] for fact in before["facts"][: lengths["facts"]]}
    return [fact for fact in after["facts"] if (fact["id"] in first) == (key == "facts")]


def _row(node: SequenceNode, old: list[dict[str, Any]], place: int | None, fact: dict[str, Any]) -> Row:
    """A fact as the list has it: a sentence, or a mapping."""
    if place is None:
        return Row(None, None, folder.fact_row(fact))
    if isinstance(node.value[place], ScalarNode):
        return Row(place, folder.fact_row(old[place]), folder.fact_row(fact))
    return Row(place, _without_id(old[place]), _without_id(fact))
