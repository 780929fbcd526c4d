"""The demo content: accounts, bases, characters and people, put in through the same doors as a user's own."""

import hashlib
from pathlib import Path

from django.contrib.auth.models import Group
from django.db import transaction
from ruamel.yaml import YAML

from characters.profiles import access, comparison
from characters.profiles import services as profiles
from characters.profiles.folder import read_folder
from characters.profiles.models import Character
from kgadmin.accounts.models import ROLES, User
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.operations.demo import people

HERE = Path(__file__).parent
BASE_FILE = "base.yaml"
DOCUMENT_KINDS = {".md", ".txt"}
PASSWORD = "demo"  # noqa: S105  everybody may know it: demo accounts sign in with one click
ACCOUNTS = {"demo": tuple(ROLES), **{role: (role,) for role in ROLES}}


def is_loaded() -> bool:
    """Whether the demo was loaded into this database before."""
    return User.objects.filter(is_demo=True).exists()


@transaction.atomic
def load() -> list[str]:
    """Bring every part of the demo to its shipped state, in one commit; one sentence per part."""
    lines = [_load_account(name, roles) for name, roles in ACCOUNTS.items()]
    owner = User.objects.filter(is_demo=True).first()
    lines += [_load_base(folder, owner) for folder in base_folders()]
    author = User.objects.filter(is_demo=True, username="author").first() or owner
    lines += [_load_character(folder, author) for folder in character_folders()]
    if owner is None:
        return [*lines, "people: left out, since no demo account could be made to own their conversations"]
    lines += [people.load_past(path, owner) for path in people.people_files()]
    return lines + [people.load_turns(path, owner) for path in people.spoken_files()]


def base_folders() -> list[Path]:
    """The shipped bases' folders, each named by its slug."""
    return sorted(path.parent for path in (HERE / "bases").glob(f"*/{BASE_FILE}"))


def character_folders() -> list[Path]:
    """The shipped characters' folders, each named by its slug."""
    return sorted(path for path in (HERE / "characters").iterdir() if path.is_dir())


def document_files(folder: Path) -> list[Path]:
    """The documents of a base's folder."""
    return sorted(path for path in folder.iterdir() if path.suffix in DOCUMENT_KINDS)


def _load_account(name: str, roles: tuple[str, ...]) -> str:
    user = User.objects.filter(username=name).first()
    if user and not user.is_demo:
        # Somebody's own account must not become one that anybody may enter.
        return f"account {name}: somebody's own has that name, left as it is"
    user = user or User.objects.create_user(name, password=PASSWORD, is_demo=True)
    user.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
    return f"account {name}: {', '.join(roles)}"


def _load_base(folder: Path, owner: User | None) -> str:
    head = YAML(typ="safe").load((folder / BASE_FILE).read_text())  # name, description, provenance
    base = KnowledgeBase.objects.filter(slug=folder.name).first() or knowledge.register(
        slug=folder.name, by=owner, **{key: str(value).strip() for key, value in head.items()}
    )
    files = document_files(folder)
    there = dict(base.documents.values_list("name", "sha256"))
    new = [path for path in files if there.get(path.name) != hashlib.sha256(path.read_bytes()).hexdigest()]
    for path in new:
        knowledge.add_document(base=base, name=path.name, content=path.read_bytes(), by=owner)
    if not new:
        return f"knowledge base {base.slug}: its {len(files)} documents are there"
    knowledge.ingest(base, by=owner)
    return f"knowledge base {base.slug}: {len(new)} documents wait to be read"


def _load_character(folder: Path, owner: User | None) -> str:
    character = Character.objects.filter(slug=folder.name).first()
    live = character.sheet if character else None
    sheet = read_folder(folder, known=live).sheet
    if character is None:
        made = profiles.create_character(slug=folder.name, sheet=sheet, by=owner, note="Shipped with the demo")
        editor = User.objects.filter(is_demo=True, username="demo").first()
        if editor and editor != owner:
            access.share(character=made, user=editor, may_edit=True, by=owner)
        return f"character {folder.name}: {len(sheet.facts)} facts, {len(sheet.personas)} personas"
    if not comparison.changes(live, sheet):
        return f"character {folder.name}: is as shipped"
    profiles.restore(character, by=owner)  # nothing is published to one that somebody has put away
    profiles.publish(character, sheet=sheet, by=owner, note="Brought back to the demo's sheet")
    return f"character {folder.name}: brought back to the demo's sheet"
