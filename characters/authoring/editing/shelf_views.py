"""The list of characters, and what makes, copies and archives one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from characters.authoring.editing.page import account
from characters.profiles import sheet_templates, shelf
from characters.profiles.access import character_for, characters_for, editable_for, may_edit
from characters.profiles.documents import SheetError
from characters.profiles.models import Draft
from kgadmin.accounts.roles import has_role, role_required
from kgadmin.projection.models import Change

LARGE = ("vectors", "yaml", "character__live_revision__vectors", "character__live_revision__yaml")


@require_GET
@role_required("author", "operator", "tester")
def index(request: HttpRequest) -> HttpResponse:
    """All characters that the user may know of, searched by name and address."""
    text = request.GET.get("q", "").strip().replace("\0", "")
    archived = "archived" in request.GET
    found = characters_for(request.user)
    shown = found.filter(archived_at__isnull=not archived)
    for word in text.split():
        shown = shown.filter(name__icontains=word) | shown.filter(slug__icontains=word)
    mine = set(editable_for(request.user).values_list("pk", flat=True))
    written = Draft.objects.filter(character__in=mine).select_related("character__live_revision")
    drafts = {draft.character_id: draft for draft in written.defer(*LARGE)}
    context = {
        "rows": [(each, drafts.get(each.pk), each.pk in mine) for each in shown],
        "waiting": Change.objects.owners("character:"),
        "q": text,
        "archived": archived,
        "archived_count": found.filter(archived_at__isnull=False).count(),
        "total": found.filter(archived_at__isnull=not archived).count(),
        "may_make": has_role(request.user, "author"),
    }
    return render(request, "profiles/index.html", context)


@require_http_methods(["GET", "POST"])
@role_required("author")
def new(request: HttpRequest) -> HttpResponse:
    """Make a character: blank, or from a template."""
    given = request.POST if request.method == "POST" else request.GET
    name, chosen = given.get("name", ""), given.get("template", sheet_templates.BLANK)
    problems: list[str] = []
    if request.method == "POST":
        try:
            if chosen not in sheet_templates.TEMPLATES:
                raise SheetError(["There is no such template. Choose one of these."])
            made = shelf.begin(name=name, sheet=sheet_templates.TEMPLATES[chosen][1], by=account(request))
        except SheetError as error:
            problems = error.problems
        else:
            return redirect("profiles:edit", made.slug)
    choices = [(key, title, sheet) for key, (title, sheet) in sheet_templates.TEMPLATES.items()]
    context = {"name": name, "chosen": chosen, "choices": choices, "problems": problems}
    return render(request, "profiles/new.html", context, status=422 if problems else 200)


@require_POST
@role_required("author")
def clone(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a copy that belongs to whoever asks."""
    character = character_for(request.user, slug)
    try:
        made = shelf.clone(character, by=account(request), may_see_draft=may_edit(request.user, character))
    except SheetError as error:
        messages.error(request, error.problems[0])
        return redirect("profiles:index")
    messages.success(request, f"This is {made.name}. Nobody talks to it before you publish it.")
    return redirect("profiles:edit", made.slug)


@require_POST
@role_required("author")
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a character away."""
    character = character_for(request.user, slug, to_share=True)
    shelf.archive(character, by=account(request))
    messages.success(request, f"{character.name} is archived: nobody talks to it, and nothing is deleted.")
    return redirect("profiles:index")


@require_POST
@role_required("author")
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a character back out of the archive."""
    character = character_for(request.user, slug, to_share=True)
    shelf.restore(character, by=account(request))
    messages.success(request, f"{character.name} is back.")
    return redirect("profiles:edit", slug)
