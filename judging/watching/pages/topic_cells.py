"""How lists show a topic, and how far its units are."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from judging.core.pages.tables import tagged
from judging.models import Topic
from judging.watching.selectors.progress import Progress


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
