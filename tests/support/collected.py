"""What was collected of a study against what was planned: not one judgment more, not one less."""

from collections import Counter

from judging.core.selectors.judgments import accepted_judgments
from judging.models import Assignment, Judgment, Study, Topic, UnitDocument


def collected(study: Study) -> dict[str, int]:
    """Completed units, judgments, and those too many or missing: a unit gives each of its documents one."""
    completed = Assignment.objects.filter(topic__study=study, state="completed")
    got = Counter(
        accepted_judgments(study)
        .filter(assignment__topic__study=study)
        .values_list("pool_document", flat=True)
    )
    planned = Counter(
        UnitDocument.objects.filter(unit__topic__study=study).values_list("pool_document", flat=True)
    )
    for topic in Topic.objects.filter(study=study):
        for anchor in topic.pool.exclude(anchor=""):
            planned[anchor.pk] = topic.units.count()
    return {
        "completed units": completed.count(),
        "judgments": Judgment.objects.filter(assignment__in=completed).count(),
        "over-collected judgments": sum((got - planned).values()),
        "missing judgments": sum((planned - got).values()),
    }
