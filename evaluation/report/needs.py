"""What the parts of a report need, and what to say if a study lacks it."""

from collections.abc import Callable
from typing import NamedTuple

from ..scales import DEFAULT, SCALES
from ..scales.scale import Scale
from ..text import Text


class Facts(NamedTuple):
    """The facts about a study that decide which parts its report can have.

    `units` is the number of units, `topics` is the number of topics with judgments, and `runs` is the number
    of runs. `graded` is the number of known grades, or 0 if no judged or pooled document has one.
    `grade_sets` has the names of the sets of known grades. `scale` is the scale of the judgments, and
    `statistic` computes the gains (None for the default of the scale). The other fields are true in these
    cases:

    - `anchors`: the judgments mark the anchors of their units.
    - `levels`: at least one set has three or more different grades, all of them 0, 1, 2 or 3.
    - `letters`: in at least one set, the grades 0, 1, 2 and 3 stand for N, M, R and H.
    - `binary`: at least one set has at most two different grades.
    - `multilevel`: at least one set has three or more different grades.
    - `pay`: the pay for a unit is known.
    - `sampled`: only a sample of the documents was judged.
    - `arms`: the study has several arms, which are compared.
    - `machines`: machine judges took part in the study.
    - `labels`: there are labels of judges, such as machine judges, to compare with people.
    """

    units: int
    topics: int
    graded: int
    runs: int
    grade_sets: tuple[str, ...]
    anchors: bool = True
    scale: Scale = SCALES[DEFAULT]
    statistic: str | None = None
    levels: bool = True
    letters: bool = True
    pay: bool = True
    binary: bool = True
    multilevel: bool = True
    sampled: bool = False
    arms: bool = False
    machines: bool = False
    labels: bool = False


Need = Callable[[Facts], Text | None]
"""A function that returns a sentence about what a study lacks, or None if it lacks nothing."""


def judgments(facts: Facts) -> Text | None:
    """Return what is missing if there are no judgments that count."""
    return None if facts.units else Text("There are no judgments that count yet.")


def arms(facts: Facts) -> Text | None:
    """Return what is missing if there is only one arm."""
    return None if facts.arms else Text("This compares the arms of a study, but the study has no arms.")


def machines(facts: Facts) -> Text | None:
    """Return what is missing if no machine judge took part."""
    return None if facts.machines else Text("No machine judge took part in the study.")


def labels(facts: Facts) -> Text | None:
    """Return what is missing if there are no labels of judges."""
    if facts.labels:
        return None
    return Text(
        "There are no labels of judges to compare with people. Let a machine judge take part, or add labels."
    )


def whole(facts: Facts) -> Text | None:
    """Return what is missing if only a sample of the documents was judged."""
    if not facts.sampled:
        return None
    return Text(
        "This needs the gains of all documents of the pool, but only a sample was judged. Means of the runs "
        "are estimated from the sample."
    )


def grades(facts: Facts) -> Text | None:
    """Return what is missing if no judged document has a known grade."""
    if not facts.graded and facts.grade_sets:
        return Text("No judged document has a known grade. Check that the ids of topics and documents match.")
    return None if facts.graded else Text("No document has a known grade. Add known grades.")


def known(facts: Facts) -> Text | None:
    """Return what is missing if there is no set of known grades."""
    return None if facts.grade_sets else Text("There is no set of known grades. Add one.")


def several_sets(facts: Facts) -> Text | None:
    """Return what is missing if there are fewer than two sets of known grades."""
    if len(facts.grade_sets) > 1:
        return None
    return Text("This compares two or more sets of known grades. Add another set.")


def levels(facts: Facts) -> Text | None:
    """Return what is missing unless a set has at least three different grades, all of them 0, 1, 2 or 3."""
    if facts.levels:
        return None
    return Text(
        "This needs a set of known grades that uses at least three of the grades 0, 1, 2 and 3, and no "
        "others. Add such a set."
    )


def letters(facts: Facts) -> Text | None:
    """Return what is missing if no set has the grades N, M, R and H."""
    return (
        None
        if facts.letters
        else Text("This needs a set of known grades with the grades N, M, R and H. Add such a set.")
    )


def binary(facts: Facts) -> Text | None:
    """Return what is missing if no set of known grades is binary."""
    if facts.binary:
        return None
    return Text("This needs binary judgments: a set with at most two different grades. Add such a set.")


def multilevel(facts: Facts) -> Text | None:
    """Return what is missing if no set of known grades has three or more different grades."""
    if facts.multilevel:
        return None
    return Text("This needs a set of known grades with at least three different grades. Add such a set.")


def anchors(facts: Facts) -> Text | None:
    """Return what is missing if the judgments do not mark the anchors of their units."""
    if facts.anchors:
        return None
    return Text(
        "The judgments do not say which documents are anchors. Mark the anchors in the column “gold”."
    )


def ratios(facts: Facts) -> Text | None:
    """Return what is missing if ratios of the judgments have no meaning."""
    return None if facts.scale.without_ratios is None else facts.scale.without_ratios.missing


def gain_ratios(facts: Facts) -> Text | None:
    """Return what is missing if ratios of the gains have no meaning."""
    has_ratios = facts.scale.gains_have_ratios(facts.statistic or facts.scale.statistics[0])
    return None if has_ratios else ratios(facts)


def one_run(facts: Facts) -> Text | None:
    """Return what is missing if there are no runs."""
    return None if facts.runs else Text("There are no runs. Add at least one.")


def runs(facts: Facts) -> Text | None:
    """Return what is missing if there are fewer than two runs."""
    if facts.runs > 1:
        return None
    return Text("This needs at least two runs, but the study has {runs}. Add more runs.", runs=facts.runs)


def topics(facts: Facts) -> Text | None:
    """Return what is missing if fewer than two topics have judgments."""
    if facts.topics > 1:
        return None
    return Text(
        "This needs at least two topics with judgments, but the study has {topics}. Collect more judgments.",
        topics=facts.topics,
    )


def pay(facts: Facts) -> Text | None:
    """Return what is missing if the pay is unknown."""
    return None if facts.pay else Text("The pay for a unit is unknown. Give the pay to see the cost.")
