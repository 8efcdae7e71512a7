"""Cells and columns that several lists share: workers, topics, progress, events."""

from functools import partial
from urllib.parse import quote, urlencode

from django.db.models import F, Value
from django.db.models.functions import NullIf
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from judging.core.pages.page_table import Column, link, tagged
from judging.core.published.events import EventRow
from judging.core.selectors.ordering import place_of_topic
from judging.models import Study, Topic
from judging.watching.selectors.progress import Progress


def worker_link(study: Study, pseudonym: str) -> SafeString:
    """Return a link to a worker's page."""
    return link(reverse("console:worker", args=[study.slug, pseudonym]), pseudonym)


def document_link(study: Study, topic: str, document: str) -> SafeString:
    """Return a link to a document's page. Its address encodes ids in the same way as the templates do."""
    query = urlencode({"topic": topic, "id": document}, quote_via=quote, safe="")
    return link(f"{reverse('console:document', args=[study.slug])}?{query}", document)


def topic_name(topic: Topic) -> SafeString:
    """Return the number and title of a topic, with a tag if the topic is retired."""
    return tagged(str(topic), _("retired") if topic.retired_at else "")


def progress_bar(topic: Topic, units: Progress) -> SafeString:
    """Return a bar that shows the share of a topic's units that are done."""
    return format_html(
        '<progress max="100" value="{}" aria-label="{}"></progress>',
        units.percent,
        _("Units done in topic {topic}").format(topic=topic.number),
    )


def event_columns(study: Study) -> list[Column[EventRow]]:
    """Return the columns for a list of a study's events."""
    return [
        Column("-at", _("Time"), lambda event: event.at, order=["at", "pk"]),
        Column(
            "kind",
            _("Event"),
            lambda event: format_html('<data value="{}">{}</data>', event.kind, event.words),
            order=["kind"],
        ),
        Column(
            "check",
            _("Check"),
            lambda event: event.check and f"({event.check})",
            order=[NullIf("check_name", Value(""))],
        ),
        Column("", _("Details"), lambda event: event.details),
        Column(
            "unit",
            _("Unit"),
            lambda event: event.unit_id,
            order=[partial(place_of_topic, study), F("unit__number")],
        ),
        Column(
            "worker",
            _("Worker"),
            lambda event: worker_link(study, event.worker_id),
            order=["participation__pseudonym"],
        ),
    ]
