"""As whom a tester talks: a test person, who is remembered, or anybody else in a sandbox."""

from dataclasses import dataclass

from django.db.models import F, Max
from django.http import Http404, HttpRequest

from characters.conversations import services
from characters.conversations.access import may_read_person
from characters.conversations.models import TESTER, Person
from kgadmin.accounts.models import User

LAST_USED = "talks_as"
"""Key of the session."""
MAX_DIGITS = 19
MOST_LISTED = 12
"""Real people that are listed at once; more are found by their name."""


@dataclass(frozen=True, slots=True)
class Whom:
    """The person as whom the tester talks, and as whom they could."""

    person: Person
    sandbox: bool
    may_see: bool
    """Whether the tester may see the person's page."""
    test_people: list[Person]
    real_people: list[Person]
    find: str = ""

    @property
    def unlisted(self) -> bool:
        """Whether the person is in neither list: somebody else's test person, or a real one who isn't listed."""
        return self.person not in self.test_people and self.person not in self.real_people


def talks_as(request: HttpRequest, user: User) -> Person:
    """Whom the form or the address names, else the last one, else the tester's own test person; is kept as the last."""
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
    """Anybody: as a person who isn't theirs a tester talks in a sandbox. 404 if there is no such person."""
    person = Person.objects.filter(pk=pk).first()
    if person is None:
        raise Http404("There is no such person to talk as. They may have been forgotten: choose someone else.")
    return person


def choices(request: HttpRequest, user: User) -> Whom:
    """Everything that the choice of a person shows."""
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
    """Those who were met last; with `find` only those whose name has it."""
    people = Person.objects.exclude(namespace__startswith=TESTER).filter(name__icontains=find)
    met = people.annotate(last_met=Max("acquaintances__last_met"))
    return list(met.order_by(F("last_met").desc(nulls_last=True), "name", "pk")[:MOST_LISTED])
