"""What machine judges predict: gains of all documents of the pools, beside the gains of people."""

from collections import defaultdict

import polars as pl

from evaluation.frames import Gains
from judging.core.selectors.judgments import CountedJudgment, counted, in_order, topics_sorted
from judging.core.selectors.magnitudes import topic_gains
from judging.core.selectors.sampling import pool_with_chances
from judging.models import MachineJudge, Study
from judging.protocol.judges import MACHINE


def gains_of_machines(study: Study) -> dict[str, Gains]:
    """Return the gains of each machine judge of a study, by the judge's name, computed as those of people."""
    sittings = MachineJudge.objects.filter(participation__study=study).order_by()
    names = dict(sittings.values_list("participation__pseudonym", "name"))
    if not names:
        return {}
    tables: dict[str, list[pl.DataFrame]] = defaultdict(list)
    numbers = [topic.number for topic in topics_sorted(study)]
    for rows in counted(study, numbers, kinds=[MACHINE.name]):
        of_judges: dict[str, list[CountedJudgment]] = defaultdict(list)
        for row in in_order(rows):
            of_judges[names[row.worker]].append(row)
        for name, own in of_judges.items():
            tables[name].append(topic_gains(study, own).table)
    return {name: Gains.from_checked(pl.concat(parts)) for name, parts in sorted(tables.items())}


def predictions_of(study: Study) -> dict[str, Gains]:
    """Return the gains of the machine judges that judged every document of the pools, by their names.

    The others predict nothing, because an estimate from a sample needs a prediction of every gain.
    """
    everything = {row[:2] for row in pool_with_chances(study)}
    return {
        name: of_judge
        for name, of_judge in gains_of_machines(study).items()
        if everything <= set(of_judge.table.select("topic_id", "document_id").iter_rows())
    }
