"""The list of characters, and views that create, copy and archive them."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from characters.profiles import services as profiles
from characters.profiles.access import character_for, characters_for, editable_for, may_edit
from characters.profiles.models import Draft
from kgadmin.accounts.roles import PageRequest, has_role, role_required
from kgadmin.projection.models import Change
from kgadmin.rest.actions import Refused, answer, on_page

LARGE = ("vectors", "yaml", "character__live_revision__vectors", "character__live_revision__yaml")


@require_GET
@role_required("author", "operator", "tester")
def index(request: PageRequest) -> HttpResponse:
    """List the characters that the user may know of, searched by name and slug."""
    text = request.GET.get("q", "").strip().replace("\0", "")
    archived = "archived" in request.GET
    visible = characters_for(request.user)
    listed = visible.filter(archived_at__isnull=not archived)
    shown = listed
    for word in text.split():
        shown = shown.filter(name__icontains=word) | shown.filter(slug__icontains=word)
    editable = set(editable_for(request.user).values_list("pk", flat=True))
    written = Draft.objects.filter(character__in=editable).select_related("character__live_revision")
    drafts = {draft.character_id: draft for draft in written.defer(*LARGE)}
    context = {
        "rows": [(each, drafts.get(each.pk), each.pk in editable) for each in shown],
        "waiting": Change.objects.owners("character:"),
        "q": text,
        "archived": archived,
        "archived_count": visible.filter(archived_at__isnull=False).count(),
        "total": listed.count(),
        "may_make": has_role(request.user, "author"),
    }
    return render(request, "profiles/index.html", context)


@require_http_methods(["GET", "POST"])
@role_required("author")
@on_page()
def new(request: PageRequest) -> HttpResponse:
    """Create a character: blank, or from a template."""
    form = request.POST or request.GET
    name, chosen = form.get("name", ""), form.get("template", profiles.BLANK)
    if request.method == "POST":
        if chosen not in profiles.TEMPLATES:
            raise Refused("There is no such template. Choose one of these.")
        made = profiles.begin(name=name, sheet=profiles.TEMPLATES[chosen][1], by=request.user)
        return redirect("profiles:edit", made.slug)
    choices = [(key, title, sheet) for key, (title, sheet) in profiles.TEMPLATES.items()]
    return render(request, "profiles/new.html", {"name": name, "chosen": chosen, "choices": choices})


@require_POST
@role_required("author")
@on_page(index)
def clone(request: PageRequest, slug: str) -> HttpResponse:
    """Copy a character; the copy belongs to the user."""
    character = character_for(request.user, slug)
    made = profiles.clone(character, by=request.user, may_see_draft=may_edit(request.user, character))
    return answer(
        request,
        f"{made.name} was created. Nobody can talk to the character before you publish.",
        "profiles:edit",
        made.slug,
    )


@require_POST
@role_required("author")
def archive(request: PageRequest, slug: str) -> HttpResponse:
    """Archive a character."""
    character = character_for(request.user, slug, to_share=True)
    profiles.archive(character, by=request.user)
    message = f"{character.name} is archived: nobody can talk to this character. Nothing is deleted."
    return answer(request, message, "profiles:index")


@require_POST
@role_required("author")
def restore(request: PageRequest, slug: str) -> HttpResponse:
    """Take a character out of the archive."""
    character = character_for(request.user, slug, to_share=True)
    profiles.restore(character, by=request.user)
    return answer(request, f"{character.name} is restored.", "profiles:edit", slug)
