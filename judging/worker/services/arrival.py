"""Arriving at a study: consent, and finding one's way back by the platform's id."""

from datetime import datetime, timedelta
from random import Random

from django.db import IntegrityError, transaction

from judging.core.selectors.units import study_takes_work
from judging.core.services.errors import RefusedError
from judging.core.services.events import record
from judging.models import (
    EventKind,
    Participation,
    PlatformIdentity,
    PlatformSubmission,
    Study,
    WorkerLink,
)
from judging.protocol import codes
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival, Entry
from judging.worker.selectors.links import hash_of

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
    link: str = "",
    browser_of: Participation | None = None,
) -> Participation:
    """Make the participation of somebody who consents, or find that of a platform id or link seen before.

    A platform's id, or the token of a personal link, says who somebody is. Where there is neither,
    `arrival_key`, which the consent form carried, makes one participation of the same form sent twice;
    without any of these a new one is made. `browser_of` is who took part in this browser before: where it is
    somebody else, that is noted.

    Raises RefusedError where the study takes no work, or takes no workers of this kind: those of a simulated
    crowd and real ones never mix; where it is entered by personal links alone, and this is none that is
    good; and where its workers come from a platform, and the ids do not say who this one is.
    """
    if study.entry == Entry.INVITE and not simulated_kind:
        with transaction.atomic():
            return _by_link(study, link, now=now, rng=rng, browser_of=browser_of)
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
    arrival = Arrival(platform_id, submission_id)
    if not simulated_kind and platform_of(study).id_fault(arrival):
        raise RefusedError("Without your id you could not be paid: open the study from the platform.")
    try:
        with transaction.atomic():
            participation = _begin(
                study,
                now=now,
                rng=rng,
                browser_of=browser_of,
                arrival_key=arrival_key,
                simulated_kind=simulated_kind,
            )
            if platform_id:
                PlatformIdentity.objects.create(
                    study=study, participation=participation, platform_id=platform_id
                )
    except IntegrityError:
        # The same person consented twice at once: the first of the two is the participation.
        first = _known(study, platform_id, arrival_key)
        if first is None:
            raise
        participation = first
    link_submission(participation=participation, submission_id=submission_id, now=now)
    return participation


def _by_link(
    study: Study, token: str, *, now: datetime, rng: Random, browser_of: Participation | None
) -> Participation:
    """Who began with that link before; else the participation that begins now. One link, one of them.

    The link is locked: of two who consent with it at the same moment the second finds the first one's.
    """
    found = WorkerLink.objects.select_for_update(no_key=True).filter(
        study=study, token_hash=hash_of(token), taken_back_at=None
    )
    link = found.first()
    if link and link.participation_id:
        return Participation.objects.select_related("study").get(pk=link.participation_id)
    if link is None or link.used_at:
        raise RefusedError("This link is no longer valid: ask the person who gave it to you for a new one.")
    _refuse_unless_open(study, now, simulated=False)
    participation = _begin(study, now=now, rng=rng, browser_of=browser_of)
    link.participation, link.used_at = participation, now
    link.save(update_fields=["participation", "used_at"])
    return participation


def _begin(
    study: Study,
    *,
    now: datetime,
    rng: Random,
    browser_of: Participation | None,
    arrival_key: str = "",
    simulated_kind: str = "",
) -> Participation:
    """A new participation."""
    participation = Participation.objects.create(
        study=study,
        pseudonym=codes.pseudonym(rng),
        token=codes.token(rng),
        consent_version=study.consent_version,
        consented_at=now,
        arrival_key=arrival_key,
        simulated=bool(simulated_kind),
        simulated_kind=simulated_kind,
    )
    if browser_of:
        note_same_browser(participation=participation, before=browser_of, now=now)
    return participation


@transaction.atomic
def note_same_browser(*, participation: Participation, before: Participation, now: datetime) -> None:
    """Note, once and with both, that a worker came in a browser that was another worker's `before`.

    Perhaps they are one person, perhaps two at one computer: nobody is kept out.
    """
    if participation.pk == before.pk or before.same_browser_id == participation.pk:
        return
    found = Participation.objects.filter(pk=participation.pk, same_browser=None)
    if found.update(same_browser=before):
        participation.same_browser = before
        for one in (before, participation):
            record(EventKind.SAME_BROWSER, participation=one, now=now)


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
