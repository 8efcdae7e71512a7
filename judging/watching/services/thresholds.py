"""Set the thresholds of a study."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from django.db import transaction

from judging.core.services.errors import RefusedError
from judging.core.services.events import audit, difference
from judging.core.words import translated
from judging.models import Actor, Study, Watch
from judging.models.watch import shares
from judging.protocol.web_address import webhook_fault

FIELDS: Final = ("spent", "bad_anchor", "bad_question", "reported", "flagged_worker", "webhook_url")


@transaction.atomic
def set_watch(*, study: Study, wanted: Mapping[str, Any], now: datetime, actor: Actor = None) -> Watch:
    """Replace the thresholds of a study. `wanted` has values for all `FIELDS` and for the shares to watch.

    The audit log records the changes. It records only the host of the webhook's address, because the path can
    be a secret. Raise RefusedError if the address is invalid.
    """
    url = wanted["webhook_url"]
    if url and (fault := webhook_fault(url)):
        raise RefusedError(translated(fault))
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    watch = Watch.objects.filter(study=study).first() or Watch(study=study)
    before, is_url_changed = _audited_values(watch), watch.webhook_url != url
    watch.shares = {name: wanted[name] for name in shares() if wanted.get(name) is not None}
    for field in FIELDS:
        setattr(watch, field, wanted[field])
    watch.save()
    after = _audited_values(watch)
    if before != after or is_url_changed:
        audit("watch_changed", study=study, actor=actor, now=now, **difference(before, after))
    return watch


def _audited_values(watch: Watch) -> dict[str, object]:
    """Return the values of the thresholds that are set, as the audit log records them."""
    values: dict[str, object] = watch.shares | {
        field: getattr(watch, field) for field in FIELDS if getattr(watch, field) not in (None, False, "")
    }
    if "spent" in values:
        values["spent"] = str(values["spent"])
    if "webhook_url" in values:
        values["webhook_url"] = urlsplit(watch.webhook_url).hostname
    return values
