"""The labels of judges that are not people: of machine judges, and sets that were made elsewhere."""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import polars as pl

from evaluation.distances.ratings import Ratings
from evaluation.frames import Gains
from judging.core.selectors.attempts import counted_attempts
from judging.core.selectors.judgments import CountedJudgment, counted, in_order, topics_sorted
from judging.core.selectors.magnitudes import topic_gains
from judging.core.selectors.sampling import pool_with_chances
from judging.models import LabelSet, MachineJudge, Study, TopicLabels
from judging.protocol.judges import MACHINE
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

Labels = Gains | Ratings
"""Ratings can be negative, and gains cannot."""
RESERVED = ("people", "all")
"""Names that tables of the library use for something else. No judge has one of them."""


def name_fault(name: str) -> Sentence | None:
    """Return why a judge cannot have a name, or None."""
    if name in RESERVED:
        return Sentence(_("A judge cannot have the name {name}. Choose another name."), {"name": name})
    return None


def unknown_runs(study: Study, tags: Iterable[str]) -> list[str]:
    """Return the tags that no run of a study has."""
    known = set(study.runs.values_list("tag", flat=True))
    return [tag for tag in tags if tag not in known]


def has_labels(study: Study) -> bool:
    """Return whether a study has labels of a judge that is not a person. This takes up to two queries."""
    machines = counted_attempts(study, [MACHINE.name])
    return machines.exists() or study.label_sets.exists()


def labels_of_judges(study: Study) -> dict[str, Labels]:
    """Return the labels of each judge of a study that is not a person, by its name.

    The labels of a machine judge are the gains of its judgments, computed as those of people. The others are
    those of the sets that were added to the study.
    """
    labels: dict[str, Labels] = {**gains_of_machines(study), **added_labels(study)}
    return dict(sorted(labels.items()))


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
            # A judge that began after the names were read is left out until the next look.
            if row.worker in names:
                of_judges[names[row.worker]].append(row)
        for name, own in of_judges.items():
            tables[name].append(topic_gains(study, own).table)
    return {name: Gains.from_checked(pl.concat(parts)) for name, parts in sorted(tables.items())}


def added_labels(study: Study) -> dict[str, Ratings]:
    """Return the labels of each set that was added to a study, by its name."""
    rows = TopicLabels.objects.filter(label_set__study=study).order_by()
    columns: dict[str, tuple[list[str], list[str], list[float]]] = {}
    of_sets = rows.values_list("label_set__name", "topic__number", "document_ids", "labels")
    for name, number, ids, labels in sorted(of_sets.iterator(), key=lambda row: row[:2]):
        topics, documents, numbers = columns.setdefault(name, ([], [], []))
        topics += [number] * len(ids)
        documents += ids
        numbers += labels
    return {
        name: Ratings.from_columns(topics, documents, np.array(numbers, dtype=float))
        for name, (topics, documents, numbers) in columns.items()
    }


def predictions_of(study: Study) -> dict[str, Labels]:
    """Return the labels of the judges that labelled every document of the pools, by their names.

    The others predict nothing, because an estimate from a sample needs a prediction of every gain.
    """
    everything = {row[:2] for row in pool_with_chances(study)}
    return {
        name: labels
        for name, labels in labels_of_judges(study).items()
        if everything <= set(labels.table.select("topic_id", "document_id").iter_rows())
    }


def families_of(study: Study) -> dict[str, str]:
    """Return the judge whose family each run belongs to. A run of two families belongs to the first one."""
    machines = MachineJudge.objects.filter(participation__study=study, first=None).order_by()
    added = LabelSet.objects.filter(study=study).order_by()
    named = [*machines.values_list("name", "family"), *added.values_list("name", "family")]
    families: dict[str, str] = {}
    for name, runs in sorted(named):
        for run in runs:
            families.setdefault(run, name)
    return families
