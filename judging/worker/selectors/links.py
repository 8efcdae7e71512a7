"""Personal links into a study: found by their token, of which only the hash is stored, and counted."""

import hashlib
from dataclasses import dataclass

from django.db.models import Count

from judging.models import Study, WorkerLink


@dataclass(frozen=True)
class LinkCounts:
    """How many links were made for a study, and what became of them."""

    made: int = 0
    used: int = 0
    taken_back: int = 0

    @property
    def left(self) -> int:
        """Links that still let somebody in."""
        return self.made - self.used - self.taken_back


def hash_of(token: str) -> str:
    """What is stored of a token. It has 130 random bits, so that no salt and no slow hash is called for."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def link_by_token(study: Study, token: str) -> WorkerLink | None:
    """The link with that token, used or not, with who began with it; None for one that was taken back."""
    found = WorkerLink.objects.filter(study=study, token_hash=hash_of(token), taken_back_at=None)
    return found.select_related("participation__study").first()


def count_links(study: Study) -> LinkCounts:
    """In one query."""
    found = WorkerLink.objects.filter(study=study)
    return LinkCounts(
        **found.aggregate(made=Count("pk"), used=Count("used_at"), taken_back=Count("taken_back_at"))
    )
