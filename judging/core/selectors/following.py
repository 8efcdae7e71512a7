"""How closely workers follow the numbers of the machine judges of a study."""

import polars as pl

from evaluation.frames import Gains
from judging.core.selectors.judgments import counted, in_order, topics_sorted
from judging.core.selectors.magnitudes import gains_have_ratios, judgments_frame
from judging.core.selectors.predictions import gains_of_machines
from judging.models import Study
from judging.protocol.following_flags import Follower
from judging.protocol.scales import compares_pairs

_NOBODY = "no-workers-to-compare"


def followers_of_machines(study: Study) -> dict[str, list[Follower]]:
    """Return how closely each worker follows each judge of `gains_of_machines`, by the judge's name.

    The dict is empty without machine judges, and for a study in which workers compare documents. This reads
    all judgments of the study at once, but without machine judges it takes only one query.
    """
    machines = {} if compares_pairs(study) else gains_of_machines(study)
    if not machines:
        return {}
    # These modules load scipy, which takes a second.
    from evaluation.errors import InputError
    from evaluation.judges import followers

    numbers = [topic.number for topic in topics_sorted(study)]
    judgments = judgments_frame(study, [row for rows in counted(study, numbers) for row in in_order(rows)])
    try:
        tables = {
            name: followers(judgments, _labels(study, gains), method=study.normalisation)
            for name, gains in machines.items()
        }
    except InputError as error:
        if error.code != _NOBODY:
            raise
        return {}
    return {
        name: [Follower(*row) for row in table.select(Follower._fields).iter_rows()]
        for name, table in tables.items()
    }


def _labels(study: Study, gains: Gains) -> pl.DataFrame:
    """Return the labels of a judge, as logarithms where those of workers' numbers are compared."""
    gain = pl.col("gain")
    has_logarithms = gains_have_ratios(study) and bool((gains.table["gain"] > 0).all())
    return gains.table.select(
        "topic_id", "document_id", label=gain.log() if has_logarithms else gain.cast(pl.Float64)
    )
