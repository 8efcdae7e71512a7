"""What the ids in a link prove about the browser that comes with them."""

from datetime import datetime

from judging.models import Participation, PlatformSubmission
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival, Entry


def proves_the_worker(participation: Participation, arrival: Arrival) -> bool:
    """Return whether a link with these ids can only be the worker's.

    The link is signed, or its id of the visit is a secret of the worker and the platform, and a proven
    browser has come with it before.
    """
    study = participation.study
    if study.entry == Entry.SIGNED:
        return True
    visits = PlatformSubmission.objects.filter(identity__participation=participation, claim="")
    return platform_of(study).secret_visits and visits.filter(submission_id=arrival.submission_id).exists()


def is_linked(participation: Participation, arrival: Arrival, *, claim: str) -> bool:
    """Return whether a browser with this claim has nothing to store when it comes with these ids."""
    visits = PlatformSubmission.objects.filter(
        identity__participation=participation, submission_id=arrival.submission_id
    )
    return not arrival.submission_id or visits.filter(claim__in={"", claim}).exists()


def sent_twice(participation: Participation, form_key: str, *, since: datetime) -> bool:
    """Return whether this consent form began the participation, at or after `since`."""
    return form_key != "" and participation.arrival_key == form_key and participation.consented_at >= since
