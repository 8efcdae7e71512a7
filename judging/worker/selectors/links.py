"""Personal links into a study. Only the hash of a link's token is stored."""

import hashlib
from dataclasses import dataclass

from django.db.models import Count

from judging.models import Study, WorkerLink


@dataclass(frozen=True)
class LinkCounts:
    """How many personal links a study has, how many were used, and how many were cancelled."""

    made: int = 0
    used: int = 0
    taken_back: int = 0

    @property
    def left(self) -> int:
        """Return the number of links that are neither used nor cancelled."""
        return self.made - self.used - self.taken_back


def hash_of(token: str) -> str:
    """Return the hash under which a token is stored.

    Tokens have 130 random bits, so a fast hash without a salt is safe.
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def link_by_token(study: Study, token: str) -> WorkerLink | None:
    """Return the link with this token, or None if the token is unknown or the link has been cancelled.

    Its participation and study are loaded with it.
    """
    links = WorkerLink.objects.filter(study=study, token_hash=hash_of(token), taken_back_at=None)
    return links.select_related("participation__study").first()


def count_links(study: Study) -> LinkCounts:
    """Return the counts of a study's links, in one query."""
    links = WorkerLink.objects.filter(study=study)
    return LinkCounts(
        **links.aggregate(made=Count("pk"), used=Count("used_at"), taken_back=Count("taken_back_at"))
    )
