"""Links whose ids are signed with the secret of the study, so that nobody can make up or change who comes."""

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
    """What is wrong with a link, as the page says it."""

    UNSIGNED = "You can only start with the link that was made for you. Part of it is missing."
    CHANGED = "This link was changed, or part of it is missing."
    EXPIRED = "This link has expired."


def secret_of(study: Study) -> str:
    """The study's secret, 64 characters: from the database alone, without the site's key, nobody can tell it.

    Raises ValueError where none was made yet.
    """
    if not study.entry_key:
        raise ValueError(f"No secret was made yet for study {study.slug}.")
    return salted_hmac(_SALT, f"{study.pk}/{study.entry_key}", algorithm="sha256").hexdigest()


def signed_query(study: Study, arrival: Arrival, *, expires: int) -> str:
    """The query string of a signed link. Raises ValueError as `secret_of` and `signature_of` do."""
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
    """Why nobody may come by this link; None for one that is as it was made, and not over."""
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
