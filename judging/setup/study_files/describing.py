"""Describe a stored study in plain values, for audit log entries about changes."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.db.models import Count

from judging.models import PoolDocument, Study, Topic
from judging.models.fields import stored_field
from judging.protocol.settings import SETTINGS


def describe_fields(study: Study, names: Iterable[str]) -> dict[str, str | None]:
    """Return a dict from each field to its value as text, or to None if the value is None.

    A URL is shortened to its host, because the rest may contain a secret, such as a platform's completion
    code. If the field itself holds a completion code, the text is "another code".
    """
    return {name: _described(study, name) for name in names}


def _described(study: Study, name: str) -> str | None:
    value = getattr(study, name)
    if value is None:
        return None
    if name.endswith("_code"):
        return value and "another code"
    if name.endswith("_url"):
        return value and (urlsplit(value).hostname or "another address")
    if name in SETTINGS and SETTINGS[name].package:
        return str(value)
    return str(stored_field(Study, name).value_to_string(study))


def describe_topics(study: Study) -> dict[str, dict[str, str]]:
    """Return a dict from each topic number to a dict of the topic's parts.

    The parts are the texts, the question, the anchors and the pool. The key of a part is "topic NUMBER PART".
    """
    topics = study.topics.select_related("question").annotate(pooled=Count("pool"))
    described = {topic.number: _topic(topic, topic.pooled) for topic in topics.order_by("place")}
    anchors = PoolDocument.objects.filter(topic__study=study).exclude(anchor="").order_by()
    rows = anchors.values_list("topic__number", "anchor", "document__document_id")
    for number, anchor, document in sorted(rows):
        described[number][f"topic {number} anchor {anchor}"] = document
    return described


def _topic(topic: Topic, pooled: int) -> dict[str, str]:
    parts = {
        "title": topic.title,
        "description": topic.description,
        "narrative": topic.narrative,
        "anchor reason": topic.anchor_reason,
        "pool": f"{pooled} documents",
    }
    if question := getattr(topic, "question", None):
        parts["question"] = question.text
        parts["options"] = "\n".join(question.options)
        parts["right option"] = str(question.right_option + 1)
    return {f"topic {topic.number} {part}": value for part, value in parts.items()}
