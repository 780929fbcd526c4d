"""Who may see a knowledge base. Authors see the bases for everyone, and those of characters they may see."""

from django.core.exceptions import PermissionDenied
from django.db.models import Q

from kgadmin.accounts.models import User
from kgadmin.accounts.roles import AnyUser, has_role, roles_of
from kgadmin.knowledge.models import Document, KnowledgeBase, KnowledgeBaseQuerySet
from kgadmin.rest.actions import first_or_404


def bases_for(user: AnyUser) -> KnowledgeBaseQuerySet:
    """Return the bases that the user may see."""
    rows = KnowledgeBase.objects.all()
    roles = roles_of(user)
    if roles & {"operator", "tester"}:
        return rows
    if "author" not in roles or not isinstance(user, User):
        return rows.none()
    # Characters are in a higher layer, so this repeats `profiles.access.characters_for` through relations.
    theirs = (
        Q(characters__character__owner=user)
        | Q(characters__character__members__user=user)
        | Q(characters__character__isnull=False, characters__character__owner=None)
    )
    return rows.filter(Q(for_everyone=True) | Q(pk__in=KnowledgeBase.objects.filter(theirs).values("pk")))


def base_for(user: AnyUser, slug: str, *, to_write: bool = False) -> KnowledgeBase:
    """Return a base; 404 if there is none that this user may see, 403 if they may not change it."""
    base = first_or_404(bases_for(user).filter(slug=slug), "There is no such knowledge base. See the list of them.")
    if to_write and not has_role(user, "operator"):
        raise PermissionDenied("You can read this knowledge base. Only an operator can change it.")
    return base


def document_for(user: AnyUser, slug: str, pk: int, *, to_write: bool = False) -> Document:
    """Return a document of a base, without its content; 404 and 403 as for the base."""
    base = base_for(user, slug, to_write=to_write)
    rows = Document.objects.without_content().with_figures().filter(pk=pk, base=base)
    return first_or_404(rows, f"{base.name} has no such document. It may have been removed. See the list of documents.")
