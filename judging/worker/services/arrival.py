"""Records consent to a study, and finds the participation of a worker who comes back."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random
from typing import Final

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from judging.core.selectors.arms import arm_keys
from judging.core.selectors.erased import was_erased
from judging.core.services.errors import RefusedError
from judging.core.services.events import record
from judging.core.services.locking import lock_study
from judging.models import (
    EventKind,
    Participation,
    PlatformIdentity,
    PlatformSubmission,
    Study,
    WorkerLink,
)
from judging.protocol import codes
from judging.protocol.judges import KINDS, PERSON
from judging.protocol.judges.judge_kind import JudgeKind
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival, Entry
from judging.worker.selectors.links import hash_of
from judging.worker.selectors.participations import find_by_platform_id
from judging.worker.services.drawing import draw_arm

PRESSED_TWICE: Final = timedelta(minutes=1)
ERASED: Final = _lazy(
    "Somebody has already taken part in this study with your id, and the id was then deleted at that person’s"
    " or a researcher’s wish. So nobody can start the study with this id again."
)


def give_consent(
    *,
    study: Study,
    now: datetime,
    rng: Random,
    platform_id: str = "",
    submission_id: str = "",
    platform_study: str = "",
    kind: JudgeKind = PERSON,
    behaviour: str = "",
    arrival_key: str = "",
    link: str = "",
    browser_of: Participation | None = None,
    needs_unit: bool = False,
    arm: Study | None = None,
) -> Participation:
    """Return the participation of a worker who consents: a new one, or the one that this person already has.

    In a study with arms, the new participation is in an arm that is drawn at random from those with work.
    Later it stays there, so the function returns it whichever arm `study` is. If `arm` is given, the new
    participation is in this arm: a machine judge is told where to judge.

    A person is identified by the platform's id or the token of a personal link. Without either, the function
    uses `arrival_key`, a key in the consent form: a form sent twice within a minute creates only one
    participation. `browser_of` is the participation for which this browser was used before. If it is given
    and a new participation is created, an event records that two workers share the browser.

    Raise NoWorkError if the study does not give out work. With `needs_unit`, also raise it if no unit could
    follow at the moment. Raise RefusedError if the platform must send an id but did not.
    Also raise it if the study needs a personal link and `link` is not valid, or if this kind of judge cannot
    judge in the study. Judges without a browser need neither an id nor a link.
    """
    study = study.entrance
    if study.entry == Entry.INVITE and kind.has_browser:
        with transaction.atomic():
            return _by_link(study, link, now=now, rng=rng, browser_of=browser_of, needs_unit=needs_unit)
    with _one_at_a_time(study):
        return _by_id(
            study,
            Arrival(platform_id, submission_id, platform_study),
            arrival_key,
            now=now,
            rng=rng,
            kind=kind,
            behaviour=behaviour,
            browser_of=browser_of,
            needs_unit=needs_unit,
            in_arm=arm,
        )


@contextmanager
def _one_at_a_time(study: Study) -> Iterator[None]:
    """Make other consents to a study with arms wait, so that one form cannot begin in two arms."""
    if not study.has_arms:
        yield
        return
    with transaction.atomic():
        lock_study(study)
        yield


def _by_id(
    study: Study,
    arrival: Arrival,
    arrival_key: str,
    *,
    now: datetime,
    rng: Random,
    kind: JudgeKind,
    behaviour: str,
    browser_of: Participation | None,
    needs_unit: bool,
    in_arm: Study | None,
) -> Participation:
    """Return the participation of a person with a platform id, or of the person who sent this form."""
    platform_id, submission_id, platform_study = (
        arrival.platform_id,
        arrival.submission_id,
        arrival.study_id,
    )
    if platform_id and _existing_participation(study, "", arrival_key):
        arrival_key = ""  # On a shared computer, another person may have sent this form before.
    existing = _existing_participation(study, platform_id, arrival_key)
    if existing and not platform_id and existing.consented_at < now - PRESSED_TWICE:
        # This form comes too late to be a second press of the button. An old form must not open another
        # person's participation.
        existing, arrival_key = None, ""
    if existing:
        link_submission(
            participation=existing, submission_id=submission_id, platform_study=platform_study, now=now
        )
        return existing
    arm = draw_arm(study, now=now, rng=rng, kind=kind, needs_unit=needs_unit, arm=in_arm)
    if platform_id and was_erased(study, platform_id):
        raise RefusedError(ERASED)
    if kind.has_browser and platform_of(study).id_fault(arrival):
        raise RefusedError(_("Without your id, we cannot pay you. Open the study from the platform."))
    try:
        with transaction.atomic():
            participation = _begin(
                arm,
                now=now,
                rng=rng,
                browser_of=browser_of,
                arrival_key=arrival_key,
                kind=kind,
                behaviour=behaviour,
            )
            if platform_id:
                PlatformIdentity.objects.create(
                    study=study, participation=participation, platform_id=platform_id
                )
    except IntegrityError:
        # The same person consented twice at once. Use the first of the two participations.
        first = _existing_participation(study, platform_id, arrival_key)
        if first is None:
            raise
        participation = first
    link_submission(
        participation=participation, submission_id=submission_id, platform_study=platform_study, now=now
    )
    return participation


def _by_link(
    study: Study,
    token: str,
    *,
    now: datetime,
    rng: Random,
    browser_of: Participation | None,
    needs_unit: bool,
) -> Participation:
    """Return the participation that belongs to a personal link, and create it if there is none.

    The lock on the link makes sure that two forms sent at the same time do not create two participations.
    """
    links = WorkerLink.objects.select_for_update(no_key=True).filter(
        study=study, token_hash=hash_of(token), taken_back_at=None
    )
    link = links.first()
    if link and link.participation_id:
        return Participation.objects.select_related("study").get(pk=link.participation_id)
    if link is None or link.used_at:
        raise RefusedError(
            _("This link is no longer valid. Ask the person who gave it to you to send a new one.")
        )
    kind = KINDS[link.kind]
    arm = draw_arm(study, now=now, rng=rng, kind=kind, needs_unit=needs_unit)
    participation = _begin(arm, now=now, rng=rng, browser_of=browser_of, kind=kind)
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
    kind: JudgeKind = PERSON,
    behaviour: str = "",
) -> Participation:
    participation = Participation.objects.create(
        study=study,
        pseudonym=codes.pseudonym(rng),
        token=codes.token(rng),
        consent_version=study.consent_version,
        consented_at=now,
        arrival_key=arrival_key,
        kind=kind.name,
        behaviour=behaviour,
    )
    if browser_of:
        note_same_browser(participation=participation, before=browser_of, now=now)
    return participation


@transaction.atomic
def note_same_browser(*, participation: Participation, before: Participation, now: datetime) -> None:
    """Record once, for both workers, that a worker uses the same browser as an earlier worker (`before`).

    The two workers may be one person, or two people who share a computer, so both can continue.
    """
    if participation.pk == before.pk or before.same_browser_id == participation.pk:
        return
    unmarked = Participation.objects.filter(pk=participation.pk, same_browser=None)
    if unmarked.update(same_browser=before):
        participation.same_browser = before
        for worker in (before, participation):
            record(EventKind.SAME_BROWSER, participation=worker, now=now)


def _existing_participation(study: Study, platform_id: str, arrival_key: str) -> Participation | None:
    if platform_id:
        return find_by_platform_id(study=study, platform_id=platform_id)
    if not arrival_key:
        return None
    workers = Participation.objects.select_related("study")
    return workers.filter(study__in=arm_keys(study), arrival_key=arrival_key).first()


def link_submission(
    *,
    participation: Participation,
    submission_id: str,
    now: datetime,
    platform_study: str = "",
    claim: str = "",
) -> None:
    """Store the ids that the platform uses for this visit and for the study.

    A person can come back with new ids. Do nothing if the person or the visit has no id. `claim` is the claim
    of the browser, or "" if the browser is proven to be the worker's. A browser with a claim changes nothing
    about a visit that another browser began. A proven browser takes such a visit over.
    """
    identity = PlatformIdentity.objects.filter(participation=participation).first()
    if identity is None or not submission_id:
        return
    visit, is_new = PlatformSubmission.objects.get_or_create(
        identity=identity,
        submission_id=submission_id,
        defaults={
            "linked_at": now,
            "first_linked_at": now,
            "platform_study": platform_study,
            "claim": claim,
        },
    )
    if not is_new and claim in ("", visit.claim):
        visit.linked_at, visit.claim = now, claim
        visit.save(update_fields=["linked_at", "claim"])
