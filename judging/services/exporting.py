"""Recording who took data of a study home."""

from datetime import datetime

from django.db import transaction

from judging.models import Actor, Study
from judging.services.events import audit


@transaction.atomic
def record_export(
    *, study: Study, what: str, form: str, now: datetime, actor: Actor = None, **detail: object
) -> None:
    """Write down who takes which data, just before it leaves; `actor` is None on the command line."""
    audit("exported", study=study, actor=actor, now=now, what=what, format=form, **detail)
