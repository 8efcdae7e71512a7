"""Reads the verdicts on one document, and its grades."""

from judging.models import DisagreementVerdict, GradeSet, KnownGrade, PoolDocument


def level_in(grades: GradeSet, pooled: PoolDocument) -> str:
    """Return the level of a document in a set of known grades, or "" if the document has none.

    For the first set, this is the grade in the pool.
    """
    if not grades.place:
        return pooled.grade
    known = KnownGrade.objects.filter(
        grade_set=grades, topic=pooled.topic_id, document_id=pooled.document.document_id
    )
    return known.values_list("level", flat=True).first() or ""


def verdicts_on(pooled: PoolDocument) -> dict[str, DisagreementVerdict]:
    """Return the verdicts on a document by the name of the set of known grades. This takes one query."""
    verdicts = DisagreementVerdict.objects.filter(pool_document=pooled).order_by()
    verdicts = verdicts.select_related("grade_set", "decided_by")
    return {verdict.grade_set.name: verdict for verdict in verdicts}
