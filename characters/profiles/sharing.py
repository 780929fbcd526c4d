"""Who may edit or read a character, as its page and the API tell it."""

from collections.abc import Sequence
from dataclasses import dataclass

from characters.profiles import access
from characters.profiles.models import Character, Member
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import AnyUser

AS = {"editor": True, "viewer": False}


@dataclass(frozen=True, slots=True)
class Sharing:
    """Who may what with a character, and what whoever looks at it may; `others` are those whom they could name."""

    owner: User | None
    members: Sequence[Member]
    may_edit: bool
    may_share: bool
    others: Sequence[User]

    @property
    def accounts(self) -> list[str]:
        """Names of those that could be let in."""
        return [user.username for user in self.others]

    @property
    def authors(self) -> list[str]:
        """Names of those that it could be given to."""
        return [user.username for user in self.others if "author" in user.roles]


def sharing(user: AnyUser, character: Character) -> Sharing:
    """What the panel shows."""
    members = list(character.members.select_related("user"))
    may_edit, may_share = access.may_edit(user, character), access.may_share(user, character)
    taken = [pk for pk in (character.owner_id, *(member.user_id for member in members)) if pk]
    others = User.objects.filter(is_active=True).exclude(pk__in=taken).order_by("username") if may_share else []
    return Sharing(character.owner, members, may_edit, may_share, list(others))
