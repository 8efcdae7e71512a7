"""The topics that were replaced by a copy with other anchors.

A copy has the number of its original plus a suffix: `401-2` is a copy of topic 401, and `401-2-2` is a copy
of that copy. A copy has the same texts as its original. No column links a copy to its original, because a
new column would change the layout of stored files.
"""

from collections import defaultdict

from judging.models import Study, Topic

_FIELDS = ("number", "title", "description", "narrative", "place", "retired_at")


def live_copy(topic: Topic) -> Topic | None:
    """Return another topic for the same information need, or None. Ignore retired topics."""
    for family in _families(topic.study_id):
        if any(member.pk == topic.pk for member in family):
            others = (member for member in family if member.pk != topic.pk and member.retired_at is None)
            return next(others, None)
    return None


def replaced_topics(study: Study) -> frozenset[str]:
    """Return the numbers of the retired topics that a copy replaced. This takes one query.

    If all copies are retired too, the last copy counts as not replaced.
    """
    replaced: set[str] = set()
    for family in _families(study.pk):
        kept = [member for member in family if member.retired_at is None] or family[-1:]
        replaced.update(member.number for member in family if member not in kept)
    return frozenset(replaced)


def _families(study_id: int) -> list[list[Topic]]:
    """Return a list for each topic that is not a copy: the topic itself, followed by its copies.

    The lists, and the topics in each list, are in the study's order.
    """
    topics = list(Topic.objects.filter(study=study_id).order_by("place").only(*_FIELDS))
    by_number = {topic.number: topic for topic in topics}
    families = defaultdict(list)
    for topic in topics:
        root = topic
        while (original := _original(root, by_number)) is not None:
            root = original
        families[root.number].append(topic)
    return list(families.values())


def _original(topic: Topic, by_number: dict[str, Topic]) -> Topic | None:
    """Return the original of a topic, or None if the topic is not a copy. An original must be retired."""
    number, _, suffix = topic.number.rpartition("-")
    original = by_number.get(number) if suffix.isdecimal() else None
    if original is None or original.retired_at is None:
        return None
    return original if _texts(original) == _texts(topic) else None


def _texts(topic: Topic) -> tuple[str, str, str]:
    return topic.title, topic.description, topic.narrative
