"""Arriving at a study: consent, and finding one's way back by the platform's id."""

from datetime import datetime, timedelta
from random import Random

from django.db import IntegrityError, transaction

from judging.models import Participation, PlatformIdentity, PlatformSubmission, Study
from judging.protocol import codes
from judging.selectors.units import study_takes_work
from judging.services.errors import RefusedError

PRESSED_TWICE = timedelta(minutes=1)


def give_consent(
    *,
    study: Study,
    now: datetime,
    rng: Random,
    platform_id: str = "",
    submission_id: str = "",
    simulated_kind: str = "",
    arrival_key: str = "",
) -> Participation:
    """Make the participation of somebody who consents, or find that of a platform id seen before.

    A platform's id says who somebody is. Where there is none, `arrival_key`, which the consent form carried,
    makes one participation of the same form sent twice; without either a new one is made.

    Raises RefusedError where the study takes no work, or takes no workers of this kind: those of a simulated
    crowd and real ones never mix.
    """
    if platform_id:
        arrival_key = ""  # On a shared computer the form may be one that another person sent before.
    known = _known(study, platform_id, arrival_key)
    if known and arrival_key and known.consented_at < now - PRESSED_TWICE:
        # No second press any more. The cookie tells who comes back; an old form must let nobody in.
        known, arrival_key = None, ""
    if known:
        link_submission(participation=known, submission_id=submission_id, now=now)
        return known
    _refuse_unless_open(study, now, simulated=bool(simulated_kind))
    try:
        with transaction.atomic():
            participation = Participation.objects.create(
                study=study,
                pseudonym=codes.pseudonym(rng),
                token=codes.token(rng),
                arrival_key=arrival_key,
                consent_version=study.consent_version,
                consented_at=now,
                simulated=bool(simulated_kind),
                simulated_kind=simulated_kind,
            )
            if platform_id:
                PlatformIdentity.objects.create(
                    study=study, participation=participation, platform_id=platform_id
                )
    except IntegrityError:
        # The same person consented twice at once: the first of the two is the participation.
        participation = _known(study, platform_id, arrival_key)
        if participation is None:
            raise
    link_submission(participation=participation, submission_id=submission_id, now=now)
    return participation


def _known(study: Study, platform_id: str, arrival_key: str) -> Participation | None:
    if platform_id:
        return find_by_platform_id(study=study, platform_id=platform_id)
    if not arrival_key:
        return None
    return Participation.objects.filter(study=study, arrival_key=arrival_key).first()


def find_by_platform_id(*, study: Study, platform_id: str) -> Participation | None:
    return (
        Participation.objects.select_related("study")
        .filter(study=study, identity__platform_id=platform_id)
        .first()
    )


def link_submission(*, participation: Participation, submission_id: str, now: datetime) -> None:
    """Remember the platform's id of this visit; a person may come back with another one, and is let in."""
    identity = PlatformIdentity.objects.filter(participation=participation).first()
    if identity and submission_id:
        PlatformSubmission.objects.update_or_create(
            identity=identity, submission_id=submission_id, defaults={"linked_at": now}
        )


def _refuse_unless_open(study: Study, now: datetime, *, simulated: bool) -> None:
    if not study_takes_work(study, now=now):
        raise RefusedError("This study gives out no work at the moment.")
    if study.simulated != simulated:
        raise RefusedError(
            "This study was judged by a simulated crowd and takes no real workers."
            if study.simulated
            else "This study takes real workers: a simulated crowd must not mix with them."
        )
