"""What the parts of a report need, and what to say if a study lacks it."""

from collections.abc import Callable
from typing import NamedTuple

from evaluation.report.text import Text


class Facts(NamedTuple):
    """What a study has, as far as the parts of a report need it.

    `units` is the number of units, `topics` the number of topics with judgments, and `graded` the number of
    judged or pooled documents with a known grade. `grade_sets` has the names of the sets of known grades.
    `anchors` says whether the judgments mark the anchors of their units, and `magnitudes` whether they are
    magnitudes. `levels` says whether a set has more than two of the grades 0, 1, 2 and 3, and `letters`
    whether these can stand for N, M, R and H in a set. `pay` says whether the pay is known.
    """

    units: int
    topics: int
    graded: int
    runs: int
    grade_sets: tuple[str, ...]
    anchors: bool = True
    magnitudes: bool = True
    levels: bool = True
    letters: bool = True
    pay: bool = True


Need = Callable[[Facts], Text | None]
"""A function that returns a sentence about what a study lacks, or None if it lacks nothing."""


def judgments(facts: Facts) -> Text | None:
    """Return what is missing if no judgments count."""
    return None if facts.units else Text("No judgments count yet.")


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
    """Return what is missing if no set has more than two of the grades 0 to 3."""
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


def anchors(facts: Facts) -> Text | None:
    """Return what is missing if the judgments do not mark the anchors of their units."""
    if facts.anchors:
        return None
    return Text("The judgments do not say which documents are anchors. Mark the anchors in the column gold.")


def magnitudes(facts: Facts) -> Text | None:
    """Return what is missing if the judgments are ratings."""
    return (
        None
        if facts.magnitudes
        else Text("The judgments are ratings, and ratios of ratings have no meaning.")
    )


def one_run(facts: Facts) -> Text | None:
    """Return what is missing if there are no runs."""
    return None if facts.runs else Text("There are no runs. Add at least one.")


def runs(facts: Facts) -> Text | None:
    """Return what is missing if there are fewer than two runs."""
    if facts.runs > 1:
        return None
    return Text("This needs at least two runs, and the study has {runs}. Add more runs.", runs=facts.runs)


def topics(facts: Facts) -> Text | None:
    """Return what is missing if fewer than two topics have judgments."""
    if facts.topics > 1:
        return None
    return Text(
        "This needs at least two topics with judgments, and the study has {topics}. Collect more judgments.",
        topics=facts.topics,
    )


def pay(facts: Facts) -> Text | None:
    """Return what is missing if the pay is unknown."""
    return None if facts.pay else Text("The pay for a unit is unknown. Give the pay to see the cost.")
