"""Start a conversation: with whom, the first message, and as whom: a test person, who is remembered, or
anybody else in a sandbox.
"""

from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from asgiref.sync import sync_to_async
from django.db.models import F, Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from characters.conversations import services
from characters.conversations.access import may_read_person
from characters.conversations.models import TESTER, Conversation, Person
from characters.profiles.access import talkable, talkable_for
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.rest.actions import on_page
from playground.chat.pages import form_key, go_to, greeting_of, key_of, started, text_of

RECENT = 12
LAST_USED = "talks_as"
MAX_DIGITS = 19
MOST_LISTED = 12
"""Real people that are listed at once; more are found by their name."""


@dataclass(frozen=True, slots=True)
class Whom:
    """The person as whom the tester talks, and as whom they could."""

    person: Person
    sandbox: bool
    may_see: bool
    test_people: list[Person]
    real_people: list[Person]
    find: str = ""

    @property
    def unlisted(self) -> bool:
        """Return whether the person is in neither list: somebody else's test person, or a real one who isn't listed."""
        return self.person not in self.test_people and self.person not in self.real_people


def talks_as(request: HttpRequest, user: User) -> Person:
    """Return the person that the form or the address names, else the last one, else the tester's own; remember the
    choice.
    """
    asked = request.POST.get("as", request.GET.get("as", ""))
    if asked:
        person = person_to_play(int(asked) if asked.isdecimal() and len(asked) < MAX_DIGITS else 0)
    else:
        last = Person.objects.filter(pk=request.session.get(LAST_USED, 0)).first()
        person = last or services.person_of_tester(user)
    if request.session.get(LAST_USED) != person.pk:
        request.session[LAST_USED] = person.pk
    return person


def person_to_play(pk: int) -> Person:
    """Return any person: as one who isn't theirs a tester talks in a sandbox. 404 if there is no such person."""
    person = Person.objects.filter(pk=pk).first()
    if person is None:
        raise Http404("There is no such person to talk as. They may have been forgotten: choose someone else.")
    return person


def choices(request: HttpRequest, user: User) -> Whom:
    """Return the context of choosing a person."""
    person = talks_as(request, user)
    find = request.GET.get("find", "").replace("\0", "").strip()
    return Whom(
        person=person,
        sandbox=not person.is_played_by(user),
        may_see=may_read_person(user, person),
        test_people=list(Person.objects.playable_by(user)),
        real_people=real_people(find),
        find=find,
    )


def real_people(find: str) -> list[Person]:
    """Return the people met last; with `find` those whose name contains it."""
    people = Person.objects.exclude(namespace__startswith=TESTER).filter(name__icontains=find)
    met = people.annotate(last_met=Max("acquaintances__last_met"))
    return list(met.order_by(F("last_met").desc(nulls_last=True), "name", "pk")[:MOST_LISTED])


@require_GET
@role_required("tester")
def index(request: PageRequest) -> HttpResponse:
    """The characters, each with questions to click, as whom to talk, and the conversations so far."""
    mine = Conversation.objects.filter(owner=request.user, client=None, outside_id="")
    context = {
        "characters": talkable_for(request.user),
        "conversations": mine.select_related("character", "person")[:RECENT],
        "whom": choices(request, request.user),
        "key": form_key(),
    }
    return render(request, "playground/index.html", context)


@require_GET
@role_required("tester")
def new(request: PageRequest, slug: str) -> HttpResponse:
    """An empty conversation with one character."""
    character = talkable(request.user, slug)
    chosen = choices(request, request.user)
    greetings = services.greetings(character, chosen.person)
    number = greeting_of(request)
    number = number if number < len(greetings) else 0
    context = {
        "character": character,
        "whom": chosen,
        "person": chosen.person,
        "sandbox": chosen.sandbox,
        "may_see": chosen.may_see,
        "turns": [],
        "greeting": greetings[number] if greetings else "",
        "greeting_number": number,
        "greetings": greetings,
        "key": form_key(),
    }
    return render(request, "playground/conversation.html", context)


def _page_of_the_form(request: PageRequest) -> HttpResponse:
    slug = request.POST.get("with", "")
    return new(request, slug) if slug else index(request)


@require_POST
@role_required("tester")
@on_page(_page_of_the_form)
def new_person(request: PageRequest) -> HttpResponse:
    """Create a test person, and talk as them from the page of the form."""
    slug = request.POST.get("with", "")
    if slug:
        talkable(request.user, slug)
    address = reverse("playground:new", args=[slug]) if slug else reverse("playground:index")
    person = services.new_test_person(name=request.POST.get("name", ""), by=request.user)
    return redirect(f"{address}?{urlencode({'as': person.pk})}")


@require_POST
@role_required("tester")
@on_page(new)
async def begin(request: PageRequest, slug: str) -> HttpResponse:
    """Start a conversation with its first message, and answer it."""
    character = await sync_to_async(talkable)(request.user, slug)
    person = await sync_to_async(talks_as)(request, request.user)
    save = partial(
        services.begin,
        character=character,
        by=request.user,
        person=person,
        text=text_of(request),
        key=key_of(request),
        greeting=greeting_of(request),
    )
    return go_to(request, await started(save, wait=not request.htmx))
