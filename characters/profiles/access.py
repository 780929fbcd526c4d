"""Who may see a character, edit it, share it and talk to it: every view and API operation asks here.

An administrator can do everything. Operators and testers see every published character, since they look after its
memory and talk to it; an author sees those that they own, edit or may read, and those without an owner.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404

from characters.profiles.models import Character, Member, Revision
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import AnyUser, has_role, roles_of
from kgadmin.audit.services import Act, record
from kgadmin.rest.actions import Refused, first_or_404

AS = {"editor": True, "viewer": False}
NO_CHARACTER = "There is no character “{}”. See the list of characters."


def characters_for(user: AnyUser) -> QuerySet[Character]:
    """Return the characters that the user may see."""
    rows = Character.objects.select_related("live_revision", "owner")
    rows = rows.defer("live_revision__vectors", "live_revision__yaml")  # large, and seldom needed
    roles = roles_of(user)
    if not roles or not isinstance(user, User):
        return rows.none()
    if user.is_superuser:
        return rows
    visible = Q(pk__in=Member.objects.filter(user=user).values("character")) | Q(owner=user)
    if "author" in roles:
        visible |= Q(owner=None)
    if roles & {"operator", "tester"}:
        visible |= Q(live_revision__isnull=False)
    return rows.filter(visible)


def talkable_for(user: AnyUser) -> QuerySet[Character]:
    """Return the characters that the user may talk to: published and not archived; none unless a tester."""
    rows = characters_for(user).filter(live_revision__isnull=False, archived_at=None)
    return rows if has_role(user, "tester") else rows.none()


def editable_for(user: AnyUser) -> QuerySet[Character]:
    """Return the characters that the user may change: an author their own and those they edit."""
    rows = characters_for(user)
    if not isinstance(user, User) or not has_role(user, "author"):
        return rows.none()
    if user.is_superuser:
        return rows
    return rows.filter(Q(owner=user) | Q(pk__in=Member.objects.filter(user=user, may_edit=True).values("character")))


def may_edit(user: AnyUser, character: Character) -> bool:
    """Return whether the user may change this character."""
    return editable_for(user).filter(pk=character.pk).exists()


def may_share(user: AnyUser, character: Character) -> bool:
    """Return whether the user decides who else may read or edit it: its owner, and an administrator."""
    if not isinstance(user, User):
        return False
    return has_role(user, "author") and (user.is_superuser or character.owner_id == user.pk)


def character_for(user: AnyUser, slug: str, *, to_edit: bool = False, to_share: bool = False) -> Character:
    """Return the character; 404 if the user may not see it, 403 if they may not edit or share it."""
    character = first_or_404(characters_for(user).filter(slug=slug), NO_CHARACTER.format(slug))
    whom = f"Ask {character.owner or 'an administrator'}"
    if to_edit and not may_edit(user, character):
        raise PermissionDenied(f"You can read {character.name}, but not change it. {whom} to make you an editor.")
    if to_share and not may_share(user, character):
        raise PermissionDenied(f"Only the owner can change who may edit {character.name}. {whom}.")
    return character


def talkable(user: AnyUser, slug: str) -> Character:
    """Return a character to talk to; 404 otherwise."""
    return first_or_404(talkable_for(user).filter(slug=slug), NO_CHARACTER.format(slug))


def revision_of(character: Character, number: int | None = None) -> Revision:
    """Return a revision of the character, the live one without a number; 404 if there is none."""
    revision = character.live_revision if number is None else character.revisions.filter(number=number).first()
    if revision is None:
        raise Http404(f"{character.name} has no such revision. See the list of revisions.")
    return revision


def account_named(username: str) -> User:
    """Return an account that can be given rights. Raises `Refused`."""
    user = User.objects.filter(username=username.replace("\0", ""), is_active=True).first()
    if user is None:
        raise Refused("There is no such account. Choose one from the list.")
    return user


@transaction.atomic
def share(*, character: Character, user: User, may_edit: bool, by: User | None) -> Member:
    """Let an account read the character, or edit it too. Raises `Refused` for its owner."""
    if user.pk == character.owner_id:
        raise Refused(f"{user} owns {character.name} and already has full access. Choose another account.")
    before = _role(Member.objects.filter(character=character, user=user).first())
    member, _ = Member.objects.update_or_create(character=character, user=user, defaults={"may_edit": may_edit})
    _record("shared", character, before, _role(member), by)
    return member


@transaction.atomic
def unshare(*, character: Character, username: str, by: User | None) -> None:
    """Remove an account's right. Raises `Refused` if it has none."""
    member = Member.objects.filter(character=character, user__username=username.replace("\0", "")).first()
    if member is None:
        raise Refused(f"“{username}” is neither editor nor viewer of {character.name}.", status=404)
    member.delete()
    _record("unshared", character, _role(member), {}, by)


@transaction.atomic
def hand_over(*, character: Character, to: User, by: User | None) -> None:
    """Give the character to another author; the previous owner stays an editor. Raises `Refused`."""
    if "author" not in to.roles:
        raise Refused("Only an author can own a character. Choose one from the list.")
    before = character.owner
    Character.objects.filter(pk=character.pk).update(owner=to)
    character.owner = to
    Member.objects.filter(character=character, user=to).delete()
    if before is not None and before != to:
        Member.objects.update_or_create(character=character, user=before, defaults={"may_edit": True})
    _record("handed over", character, {"owner": before.username} if before else {}, {"owner": to.username}, by)


def _role(member: Member | None) -> dict[str, str]:
    return {"member": f"{member.user.username}, {member.role}"} if member else {}


def _record(verb: str, character: Character, before: dict[str, str], after: dict[str, str], by: User | None) -> None:
    if before != after:
        record(Act(verb, character.graph_id, character.graph_id, before, after), actor=by)


@dataclass(frozen=True, slots=True)
class Sharing:
    """Rights on a character, the viewer's own included; `others` are the accounts that the viewer could add."""

    owner: User | None
    members: Sequence[Member]
    may_edit: bool
    may_share: bool
    others: Sequence[User]

    @property
    def accounts(self) -> list[str]:
        """Return the names of the accounts that could be added."""
        return [user.username for user in self.others]

    @property
    def authors(self) -> list[str]:
        """Return the names of the authors who could become the owner."""
        return [user.username for user in self.others if "author" in user.roles]


def sharing(user: AnyUser, character: Character) -> Sharing:
    """Return the values of the sharing panel."""
    members = list(character.members.select_related("user"))
    edits, shares = may_edit(user, character), may_share(user, character)
    taken = [pk for pk in (character.owner_id, *(member.user_id for member in members)) if pk]
    others = User.objects.filter(is_active=True).exclude(pk__in=taken).order_by("username") if shares else []
    return Sharing(character.owner, members, edits, shares, list(others))
