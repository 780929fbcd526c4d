"""Who may edit or read a character: said by its owner and by administrators, on the character's page."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from characters.profiles import access
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import AnyUser, role_required
from kgadmin.rest.actions import Refused


class AuthorRequest(HttpRequest):
    """A request of somebody who is signed in, as `role_required` has it."""

    user: User


AS = {"editor": True, "viewer": False}


def sharing(user: AnyUser, character: Character) -> dict[str, Any]:
    """What the panel shows: who may, and whom one could name."""
    members = list(character.members.select_related("user"))
    context = {"members": members, "may_edit": access.may_edit(user, character), "may_share": False}
    if access.may_share(user, character):
        taken = {member.user_id for member in members} | {character.owner_id}
        active = User.objects.filter(is_active=True).order_by("username")
        others = active.exclude(pk__in=[each for each in taken if each])
        context |= {"may_share": True, "others": others, "authors": [each for each in others if "author" in each.roles]}
    return context


@require_POST
@role_required("author")
def share(request: AuthorRequest, slug: str) -> HttpResponse:
    """Let an account edit or read the character, or no longer."""
    character = access.character_for(request.user, slug, to_share=True)
    name, role = request.POST.get("user", ""), request.POST.get("role", "")
    try:
        messages.success(request, _share(character, name, role, request.user))
    except Refused as error:
        messages.error(request, str(error))
    return _to_panel(slug)


def _share(character: Character, name: str, role: str, by: User) -> str:
    if role == "none":
        if not access.unshare(character=character, username=name, by=by):
            raise Refused("That account isn't on the list. Perhaps somebody took it off just now.")
        return f"{name} may no longer read {character.name} through this list."
    if role not in AS:
        raise Refused("Choose editor or viewer.")
    user = access.account_named(name)
    access.share(character=character, user=user, may_edit=AS[role], by=by)
    return f"{user} is {'an' * AS[role] or 'a'} {role} of {character.name} now."


@require_POST
@role_required("author")
def hand_over(request: AuthorRequest, slug: str) -> HttpResponse:
    """Give the character to another author."""
    character = access.character_for(request.user, slug, to_share=True)
    try:
        user = access.account_named(request.POST.get("user", ""))
        access.hand_over(character=character, to=user, by=request.user)
    except Refused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{user} owns {character.name} now.")
    return _to_panel(slug)


def _to_panel(slug: str) -> HttpResponseRedirect:
    return redirect(f"{reverse('profiles:sheet', args=[slug])}#who")
