"""Changes to people and to what is known about them; each action responds with the page that shows the result."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from characters.conversations import access
from characters.conversations import services as conversations
from characters.conversations.models import Person
from characters.memory import erasure, facts
from characters.people import pages, views
from characters.people.facts import add, correct
from characters.people.forms import CorrectionIn, FactIn, PersonIn, TrustIn
from characters.people.pages import conversation_of, fact_of, known_to
from characters.people.views import frame, readers
from kgadmin.accounts.roles import PageRequest, role_required
from kgadmin.jobs import services as jobs
from kgadmin.rest.actions import answer, on_page, read


@require_POST
@role_required("tester")
@on_page(views.index)
def new(request: PageRequest) -> HttpResponse:
    """Create a test person for this tester."""
    person = conversations.new_test_person(name=read(PersonIn, request.POST).name, by=request.user)
    message = f"{person.name} was created. Talk as them, and what they say is remembered."
    return answer(request, message, "people:person", person.pk)


@require_POST
@readers
@on_page(views.person)
def add_fact(request: PageRequest, pk: int) -> HttpResponse:
    """Add a fact that no message states."""
    person = access.person_for(request.user, pk, to_write=True)
    character = known_to(person, request.GET.get("character"))
    add(person, character, read(FactIn, request.POST, text="What"), by=request.user)
    return answer(request, f"{character.name} knows this from the next turn.", _facts(person, character.slug))


@require_POST
@readers
@on_page(views.fact)
def correct_fact(request: PageRequest, pk: int, fact_pk: int) -> HttpResponse:
    """Correct a fact."""
    person = access.person_for(request.user, pk, to_write=True)
    fact = fact_of(person, fact_pk)
    correct(fact, read(CorrectionIn, request.POST, text="What"), by=request.user)
    message = "The fact was corrected, starting with the next turn."
    return answer(request, message, "people:fact", pk, fact_pk)


@require_POST
@readers
@on_page(views.fact)
def undo_correction(request: PageRequest, pk: int, fact_pk: int) -> HttpResponse:
    """Make a fact what it was before it was last corrected."""
    person = access.person_for(request.user, pk, to_write=True)
    facts.undo(fact=fact_of(person, fact_pk), by=request.user)
    return answer(request, "The fact is what it was before.", "people:fact", pk, fact_pk)


@require_POST
@readers
def forget_fact(request: PageRequest, pk: int, fact_pk: int) -> HttpResponse:
    """Make a character forget one fact."""
    person = access.person_for(request.user, pk, to_write=True)
    fact = fact_of(person, fact_pk)
    slug = fact.character.slug
    facts.forget(fact=fact, by=request.user)
    return answer(request, "The fact was forgotten.", _facts(person, slug))


@require_POST
@role_required("operator")
@on_page(views.person)
def set_trust(request: PageRequest, pk: int) -> HttpResponse:
    """Set how far a character believes a person."""
    person = access.person_for(request.user, pk, to_write=True)
    asked = read(TrustIn, request.POST)
    character = known_to(person, asked.character)
    conversations.set_trust(person=person, character=character, trust=asked.trust, by=request.user)
    message = f"{character.name} trusts {person.name} by {asked.trust:.2f} from the next turn."
    return answer(request, message, _facts(person, character.slug))


@require_POST
@readers
def read_again(request: PageRequest, pk: int) -> HttpResponse:
    """Start reading the waiting messages."""
    person = access.person_for(request.user, pk, to_write=True)
    jobs.start(kind="remember", subject=person.graph_id, by=request.user)
    return redirect(_facts(person, request.GET.get("character", "")))


@require_http_methods(["GET", "HEAD", "POST"])
@readers
@on_page()
def forget(request: PageRequest, pk: int) -> HttpResponse:
    """Forget a person entirely, once their name has been typed."""
    person = access.person_for(request.user, pk, to_write=True)
    if request.method != "POST":
        return render(
            request, "people/forget.html", frame(request, person, "forget") | {"goes": pages.what_goes(person)}
        )
    pages.check_name(person, request.POST.get("name", ""))
    erasure.forget_person(person, by=request.user)
    return redirect("people:forgotten", pk)


@require_POST
@readers
def forget_conversation(request: PageRequest, pk: int, conversation_pk: int) -> HttpResponse:
    """Forget a conversation, with the facts stated nowhere else."""
    person = access.person_for(request.user, pk, to_write=True)
    erasure.forget_conversation(conversation_of(person, conversation_pk), by=request.user)
    message = "The conversation was forgotten, and the facts that rest on it alone."
    return answer(request, message, "people:conversations", pk)


def _facts(person: Person, slug: str) -> str:
    """Return the address of the person's page with this character's facts."""
    query = f"?character={slug}" if slug else ""
    return f"{reverse('people:person', args=[person.pk])}{query}#facts"
