"""Whether a simulated crowd can tell how relevant the documents of a study are."""

from judging.models import PoolDocument, Study


def has_random_relevance(study: Study) -> bool:
    """Return whether the relevance of every document except the anchors is random.

    It is random if simulated workers judge the documents, and no document except the anchors has a known
    grade. This takes one query, or none for a study without simulated workers.
    """
    if not study.simulated:
        return False
    pool = PoolDocument.objects.filter(topic__study=study, anchor="", sampled=True).order_by()
    return not pool.exclude(grade="").exists()
