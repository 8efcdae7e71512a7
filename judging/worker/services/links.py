"""Making personal links into a study, taking them back, and the secret that signs others: each is audited."""

import secrets
from datetime import datetime
from random import Random
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.limits import MOST_LINKS
from judging.models import Actor, Study, WorkerLink
from judging.protocol import codes
from judging.protocol.platforms.base import Entry
from judging.worker.selectors.links import hash_of
from judging.worker.selectors.signed_links import secret_of


class NewLink(NamedTuple):
    """A link as it is handed out, once: its token is stored nowhere."""

    number: int
    token: str


@transaction.atomic
def make_links(*, study: Study, count: int, now: datetime, rng: Random, actor: Actor = None) -> list[NewLink]:
    """Make personal links, numbered on from those there are. `rng` must be `secrets.SystemRandom` in earnest.

    Raises RefusedError for a study that is not entered by such links, and for none or too many of them.
    """
    study = lock_study(study)
    if study.entry != Entry.INVITE:
        raise RefusedError(
            f'Workers do not come to {study.slug} by personal links: set entry = "invite" in [platform].'
        )
    if not 1 <= count <= MOST_LINKS:
        raise RefusedError(f"Nothing was made: ask for 1 to {MOST_LINKS} links at once.")
    last = WorkerLink.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    made = [NewLink(last + place, codes.token(rng)) for place in range(1, count + 1)]
    WorkerLink.objects.bulk_create(
        (
            WorkerLink(study=study, number=one.number, token_hash=hash_of(one.token), made_at=now)
            for one in made
        ),
        batch_size=1000,
    )
    audit("links_made", study=study, actor=actor, now=now, count=count, first=made[0].number)
    return made


@transaction.atomic
def take_links_back(*, study: Study, now: datetime, actor: Actor = None) -> int:
    """Make void the links that nobody has begun with; returns how many. Who is in stays in."""
    study = lock_study(study)
    unused = WorkerLink.objects.filter(study=study, used_at=None, taken_back_at=None)
    count = unused.update(taken_back_at=now)
    if count:
        audit("links_taken_back", study=study, actor=actor, now=now, count=count)
    return count


@transaction.atomic
def make_secret(*, study: Study, now: datetime, actor: Actor = None) -> str:
    """Make the secret that signs links, in the place of an earlier one, whose links are void then.

    Raises RefusedError for a study that is not entered by signed links.
    """
    study = lock_study(study)
    if study.entry != Entry.SIGNED:
        raise RefusedError(
            f'Workers do not come to {study.slug} by signed links: set entry = "signed" in [platform].'
        )
    study.entry_key = secrets.token_urlsafe(32)
    study.save(update_fields=["entry_key"])
    audit("entry_secret_made", study=study, actor=actor, now=now)
    return secret_of(study)
