"""Create and cancel personal links, and create the secret for signed links.

The audit log records these actions. In a study with arms, they belong to the front.
"""

import secrets
from datetime import datetime
from random import Random
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from judging.core.selectors.arms import arms_of
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.core.services.planning import plan_missing_units
from judging.limits import MOST_LINKS
from judging.models import Actor, Study, WorkerLink
from judging.protocol import codes
from judging.protocol.judges import PERSON
from judging.protocol.judges.judge_kind import JudgeKind
from judging.protocol.platforms.base import Entry
from judging.protocol.settings import SETTINGS
from judging.protocol.states import StudyState
from judging.worker.selectors.links import hash_of
from judging.worker.selectors.signed_links import secret_of


class NewLink(NamedTuple):
    """A new link. Its token is shown once and never stored."""

    number: int
    token: str


@transaction.atomic
def make_links(
    *,
    study: Study,
    count: int,
    now: datetime,
    rng: Random,
    actor: Actor = None,
    kind: JudgeKind = PERSON,
    judgments: int = 1,
) -> list[NewLink]:
    """Create and return personal links. Their numbers continue from the last existing link.

    The links are for judges of a `kind`. If the study's own units are for another kind, also plan units for
    this one, so that each document gets `judgments` by it. In production, `rng` is a SystemRandom.

    Raise RefusedError if the study does not use personal links, if `count` or `judgments` is out of range, or
    if judges of this kind cannot come to the study, or not yet.
    """
    study = lock_study(study.entrance)
    if study.entry != Entry.INVITE:
        raise RefusedError(
            _(
                'Study {study} does not use personal links. To use them, set entry = "invite" in [platform].'
            ).format(study=study.slug)
        )
    if not 1 <= count <= MOST_LINKS:
        raise RefusedError(
            _("The number of links is not valid. Enter a whole number from 1 to {most}.").format(
                most=MOST_LINKS
            )
        )
    if kind != study.judges:
        _plan_units_for(study, kind, judgments)
    last = WorkerLink.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    links = [NewLink(last + place, codes.token(rng)) for place in range(1, count + 1)]
    WorkerLink.objects.bulk_create(
        (
            WorkerLink(
                study=study,
                number=link.number,
                token_hash=hash_of(link.token),
                made_at=now,
                kind=kind.name,
            )
            for link in links
        ),
        batch_size=1000,
    )
    audit("links_made", study=study, actor=actor, now=now, count=count, first=links[0].number)
    return links


def _plan_units_for(study: Study, kind: JudgeKind, judgments: int) -> None:
    """Plan the missing units of a kind of judge. Raise RefusedError if it cannot judge in the study now."""
    if not (kind.has_browser and kind.can_judge(rehearsal=study.simulated)):
        raise RefusedError(
            _("The kind of judge “{kind}” cannot start study {study} with a link.").format(
                kind=kind.name, study=study.slug
            )
        )
    if study.state not in (StudyState.OPEN, StudyState.PAUSED):
        raise RefusedError(
            _("Study {study} is not open. Open it before you make links for other kinds of judges.").format(
                study=study.slug
            )
        )
    bounds = SETTINGS["judgments_per_document"]
    if not 1 <= judgments <= int(bounds.most or 1):
        raise RefusedError(
            _("The number of judgments is not valid. Enter a whole number from 1 to {most}.").format(
                most=bounds.most
            )
        )
    for arm in arms_of(study):
        plan_missing_units(study=arm, kind=kind.name, judgments=judgments)


@transaction.atomic
def cancel_links(*, study: Study, now: datetime, actor: Actor = None) -> int:
    """Cancel the unused links, and return their number. Workers who have already started can continue."""
    study = lock_study(study.entrance)
    unused = WorkerLink.objects.filter(study=study, used_at=None, taken_back_at=None)
    count = unused.update(taken_back_at=now)
    if count:
        audit("links_taken_back", study=study, actor=actor, now=now, count=count)
    return count


@transaction.atomic
def make_secret(*, study: Study, now: datetime, actor: Actor = None) -> str:
    """Create and return a new secret for signing links. Links signed with an older secret stop working.

    Raise RefusedError if the study does not use signed links.
    """
    study = lock_study(study.entrance)
    if study.entry != Entry.SIGNED:
        raise RefusedError(
            _(
                'Study {study} does not use signed links. To use them, set entry = "signed" in [platform].'
            ).format(study=study.slug)
        )
    study.entry_key = secrets.token_urlsafe(32)
    study.save(update_fields=["entry_key"])
    audit("entry_secret_made", study=study, actor=actor, now=now)
    return secret_of(study)
