"""How closely workers follow the labels of the judges of a study that are not people."""

from judging.core.selectors.judgments import counted, in_order, topics_sorted
from judging.core.selectors.labels import labels_of_judges
from judging.core.selectors.magnitudes import judgments_frame
from judging.models import Study
from judging.protocol.following_flags import Follower
from judging.protocol.scales import compares_pairs

_NOBODY = "no-workers-to-compare"


def followers_of_judges(study: Study) -> dict[str, list[Follower]]:
    """Return how closely each worker follows each judge of `labels_of_judges`, by the judge's name.

    The dict is empty without labels, and for a study in which workers compare documents. This reads all
    judgments of the study at once, but without labels it takes only two queries.
    """
    judges = {} if compares_pairs(study) else labels_of_judges(study)
    if not judges:
        return {}
    # These modules load scipy, which takes a second.
    from evaluation.errors import InputError
    from evaluation.judges import followers

    numbers = [topic.number for topic in topics_sorted(study)]
    judgments = judgments_frame(study, [row for rows in counted(study, numbers) for row in in_order(rows)])
    try:
        tables = {
            name: followers(judgments, labels, sets=len(judges), method=study.normalisation)
            for name, labels in judges.items()
        }
    except InputError as error:
        if error.code != _NOBODY:
            raise
        return {}
    return {
        name: [Follower(*row) for row in table.select(Follower._fields).iter_rows()]
        for name, table in tables.items()
    }
