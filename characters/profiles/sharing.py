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
def share(request: HttpRequest, slug: str) -> HttpResponse:
    """Let an account edit or read the character, or no longer."""
    character = access.character_for(request.user, slug, to_share=True)
    user, role = _named(request), request.POST.get("role", "")
    if user is None or user.pk == character.owner_id:
        messages.error(request, "There is no such account to name. Choose one from the list.")
    elif role == "none":
        access.unshare(character=character, user=user)
        messages.success(request, f"{user} may no longer read {character.name} through this list.")
    elif role in AS:
        access.share(character=character, user=user, may_edit=AS[role])
        messages.success(request, f"{user} is {'an' * AS[role] or 'a'} {role} of {character.name} now.")
    else:
        messages.error(request, "Choose editor or viewer.")
    return _to_panel(slug)


@require_POST
@role_required("author")
def hand_over(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the character to another author."""
    character = access.character_for(request.user, slug, to_share=True)
    user = _named(request)
    if user is None or "author" not in user.roles:
        messages.error(request, "Only an author can own a character. Choose one from the list.")
        return _to_panel(slug)
    access.hand_over(character=character, to=user)
    messages.success(request, f"{user} owns {character.name} now.")
    return _to_panel(slug)


def _named(request: HttpRequest) -> User | None:
    return User.objects.filter(username=request.POST.get("user", "").replace("\0", ""), is_active=True).first()


def _to_panel(slug: str) -> HttpResponseRedirect:
    return redirect(f"{reverse('profiles:sheet', args=[slug])}#who")
