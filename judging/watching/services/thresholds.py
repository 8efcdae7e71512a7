"""Saying what of a study is to be told."""

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

FIELDS: Final = ("spent", "bad_anchor", "bad_question", "flagged_worker", "webhook_url")


@transaction.atomic
def set_watch(*, study: Study, wanted: Mapping[str, Any], now: datetime, actor: Actor = None) -> Watch:
    """Put thresholds in the place of the earlier ones; `wanted` has a value for each of `FIELDS`, and
    for those of `shares()` that are watched.

    Audited where anything changed, the webhook by its host alone: its path may be a secret. Raises
    RefusedError for an address that is none.
    """
    url = wanted["webhook_url"]
    if url and (fault := webhook_fault(url)):
        raise RefusedError(translated(fault))
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    watch = Watch.objects.filter(study=study).first() or Watch(study=study)
    before, changed_url = _told(watch), watch.webhook_url != url
    watch.shares = {name: wanted[name] for name in shares() if wanted.get(name) is not None}
    for field in FIELDS:
        setattr(watch, field, wanted[field])
    watch.save()
    after = _told(watch)
    if before != after or changed_url:
        audit("watch_changed", study=study, actor=actor, now=now, **difference(before, after))
    return watch


def _told(watch: Watch) -> dict[str, object]:
    """What is watched, as the audit log has it; without what is not."""
    told: dict[str, object] = watch.shares | {
        field: getattr(watch, field) for field in FIELDS if getattr(watch, field) not in (None, False, "")
    }
    if "spent" in told:
        told["spent"] = str(told["spent"])
    if "webhook_url" in told:
        told["webhook_url"] = urlsplit(watch.webhook_url).hostname
    return told
