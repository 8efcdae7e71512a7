"""How lists show a worker, a topic, how far its units are, and the events of a study."""

from functools import partial

from django.db.models import F, Value
from django.db.models.functions import NullIf
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from judging.core.pages.tables import Column, link, tagged
from judging.core.published.events import EventRow
from judging.core.selectors.ordering import place_of_topic
from judging.models import Study, Topic
from judging.watching.selectors.progress import Progress


def worker_link(study: Study, pseudonym: str) -> SafeString:
    """Return a link to a worker's page."""
    return link(reverse("console:worker", args=[study.slug, pseudonym]), pseudonym)


def topic_name(topic: Topic) -> SafeString:
    """Return number and title, and whether the topic is retired."""
    return tagged(str(topic), "retired" if topic.retired_at else "")


def progress_bar(topic: Topic, units: Progress) -> SafeString:
    """Return a bar of the units done."""
    return format_html(
        '<progress max="100" value="{}" aria-label="Units done, topic {}"></progress>',
        units.percent,
        topic.number,
    )


def event_columns(study: Study) -> list[Column[EventRow]]:
    """Return the columns of events."""
    return [
        Column("-at", "When", lambda event: event.at, order=["at", "pk"]),
        Column("kind", "What", lambda event: event.words, order=["kind"]),
        Column(
            "check",
            "Check",
            lambda event: event.check and f"({event.check})",
            order=[NullIf("check_name", Value(""))],
        ),
        Column("", "Details", lambda event: event.details),
        Column(
            "unit",
            "Unit",
            lambda event: event.unit_id,
            order=[partial(place_of_topic, study), F("unit__number")],
        ),
        Column(
            "worker",
            "Worker",
            lambda event: worker_link(study, event.worker_id),
            order=["participation__pseudonym"],
        ),
    ]
