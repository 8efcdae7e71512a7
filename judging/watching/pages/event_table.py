"""How lists show the events of a study."""

from collections.abc import Collection
from dataclasses import replace

from django.urls import reverse

from judging.core.pages.tables import Column, link
from judging.core.published.events import EventRow
from judging.models import Study


def event_columns(study: Study, *, sorted_by: Collection[str]) -> list[Column[EventRow]]:
    """Return the columns of events; `sorted_by` names those that the list can be sorted by."""
    columns: list[Column[EventRow]] = [
        Column("-at", "When", lambda event: event.at),
        Column("kind", "What", lambda event: event.words),
        Column("check", "Check", lambda event: event.check and f"({event.check})"),
        Column("", "Details", lambda event: event.details),
        Column("unit", "Unit", lambda event: event.unit_id),
        Column(
            "worker",
            "Worker",
            lambda event: link(
                reverse("console:worker", args=[study.slug, event.worker_id]), event.worker_id
            ),
        ),
    ]
    return [one if one.name in sorted_by else replace(one, name="") for one in columns]
