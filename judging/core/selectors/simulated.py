"""Whether a simulated crowd can tell how relevant the documents of a study are."""

from judging.models import PoolDocument, Study


def has_random_relevance(study: Study) -> bool:
    """Return whether the relevance of all documents is random, except that of the anchors.

    This is so if a simulated crowd judges the study, and no document has a known grade. Known grades of
    anchors do not count. This takes one query, or none for a study without a simulated crowd.
    """
    if not study.simulated:
        return False
    pool = PoolDocument.objects.filter(topic__study=study, anchor="").order_by()
    return not pool.exclude(grade="").exists()
