"""Links whose ids are signed with the study's secret, so that nobody can invent or change an id."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final
from urllib.parse import urlencode

from django.utils.crypto import salted_hmac

from judging.models import Study
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival
from judging.protocol.signed_links import EXPIRES, SIGNATURE, is_signed, signature_of

_SALT: Final = "plumbline.entry"


class Flaw(StrEnum):
    """What is wrong with a signed link."""

    UNSIGNED = "unsigned"
    CHANGED = "changed"
    EXPIRED = "expired"


def secret_of(study: Study) -> str:
    """Return the study's secret, which has 64 characters.

    The database alone does not reveal the secret, which also depends on the site's key. Raise ValueError if
    the study has no secret yet.
    """
    if not study.entry_key:
        raise ValueError(f"Study {study.slug} has no secret yet. Create one on the Worker links page.")
    return salted_hmac(_SALT, f"{study.pk}/{study.entry_key}", algorithm="sha256").hexdigest()


def signed_query(study: Study, arrival: Arrival, *, expires: int) -> str:
    """Return the query string of a signed link.

    Raise ValueError in the same cases as `secret_of` and `signature_of`.
    """
    signature = signature_of(
        secret=secret_of(study),
        slug=study.slug,
        worker=arrival.platform_id,
        visit=arrival.submission_id,
        expires=expires,
    )
    names = platform_of(study).parameters(study)
    values = {names.worker: arrival.platform_id, names.visit: arrival.submission_id}
    return urlencode(
        {name: value for name, value in values.items() if value}
        | {EXPIRES: str(expires), SIGNATURE: signature}
    )


def flaw_of(study: Study, arrival: Arrival, query: Mapping[str, str], *, now: datetime) -> Flaw | None:
    """Return what is wrong with a link, or None if its signature is valid and the link has not expired."""
    if not arrival.platform_id or not query.get(SIGNATURE):
        return Flaw.UNSIGNED
    expires = query.get(EXPIRES, "")
    if not study.entry_key or not is_signed(
        query[SIGNATURE],
        secret=secret_of(study),
        slug=study.slug,
        worker=arrival.platform_id,
        visit=arrival.submission_id,
        expires=expires,
    ):
        return Flaw.CHANGED
    return Flaw.EXPIRED if int(expires) <= now.timestamp() else None
