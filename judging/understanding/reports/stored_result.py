"""The results that a report stores: which run is best by a measure, as pages and the API show it."""

from collections.abc import Mapping
from typing import Any, TypedDict

from judging.understanding.reports.words import Words


class StoredWarning(TypedDict):
    """Something that can make a result mislead. A caution stands before the answer."""

    code: str
    sentence: Words
    is_caution: bool


class StoredResult(TypedDict):
    """A result as a report stores it.

    `about` has the name of the gains and the measure. `sentence` and `warnings` are the answer in words, for
    any language, and `summary` is the content of
    `summary.json`. `scores` maps each run to its scores in the `topics`, with None for no score.
    """

    about: list[str]
    sentence: Words
    warnings: list[StoredWarning]
    summary: dict[str, Any]
    topics: list[str]
    scores: dict[str, list[float | None]]


def results_in(content: Mapping[str, Any]) -> list[StoredResult]:
    """Return the results in the content of a report. A report of an earlier version has none."""
    results: list[StoredResult] = content.get("results", [])
    return results
