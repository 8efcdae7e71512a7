"""Writing down that somebody takes data of a study home."""

from datetime import datetime
from typing import Any, Literal

from django.db import transaction

from judging.models import Study
from judging.services.events import audit

Way = Literal["console", "api", "command", "file made", "file taken"]


@transaction.atomic
def record_export(
    *, study: Study, what: str, form: str, by: Way, now: datetime, actor: Any = None, **facts: Any
) -> None:
    """Write down who takes what of a study in which format, and by which way, just before it leaves.

    `facts` are what else there is to say of it, such as the number of rows.
    """
    audit("exported", study=study, actor=actor, now=now, what=what, format=form, by=by, **facts)
