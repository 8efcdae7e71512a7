"""The results of the conformance suite as text, as JSON, and as the Markdown table of the specification."""

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final

from . import LEVELS, Outcome, Result, load_cases

WIDTH: Final = 120
"""The longest line of the rules in Markdown."""

CELLS = {Outcome.NOT_OFFERED: "–"}
"""The text that the table shows for these outcomes instead of their names."""


def by_evaluator(results: list[Result]) -> dict[str, list[Result]]:
    """Return a dict from each evaluator's name to the evaluator's results."""
    results_of: dict[str, list[Result]] = {}
    for result in results:
        results_of.setdefault(result.evaluator, []).append(result)
    return results_of


def count(results: list[Result], level: str) -> tuple[int, int]:
    """Return how many rules of a level an evaluator follows, and how many it was tested on."""
    tested = [r for r in results if r.case.level == level and r.outcome is not Outcome.NOT_OFFERED]
    return sum(r.outcome is Outcome.FOLLOWS for r in tested), len(tested)


def text(results: list[Result]) -> str:
    """Return, for each evaluator, a line with its counts and a line for each rule that it does not follow."""
    return "".join(f"{line}\n" for line in _lines(results))


def _lines(results: list[Result]) -> Iterator[str]:
    for name, members in by_evaluator(results).items():
        counts = ("{} of {} {}".format(*count(members, level), level) for level in LEVELS)
        yield f"{name}\tfollows {', '.join(counts)}"
        for result in members:
            if result.outcome is not Outcome.FOLLOWS:
                yield "\t".join([name, result.case.name, result.case.level, result.outcome, result.detail])


def as_json(results: list[Result]) -> str:
    """Return a JSON list with an object for each evaluator and rule."""
    rows = [
        {
            "evaluator": result.evaluator,
            "rule": result.case.name,
            "level": result.case.level,
            "outcome": result.outcome,
            "detail": result.detail,
        }
        for result in results
    ]
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def from_rows(rows: Iterable[Mapping[str, str]]) -> list[Result]:
    """Return the results from the objects of the list that `as_json` wrote."""
    cases = {case.name: case for case in load_cases()}
    return [
        Result(row["evaluator"], cases[row["rule"]], Outcome(row["outcome"]), row["detail"]) for row in rows
    ]


def rules_markdown() -> Iterator[str]:
    """Yield the rules of the specification in Markdown, with a heading for each section."""
    for section, cases in groupby(load_cases(), key=lambda case: case.section):
        yield f"### {section}\n\n"
        for case in cases:
            rule = case.rule.replace(f" {case.level} ", f" **{case.level}** ")
            yield textwrap.fill(
                f"- `{case.name}`: {rule}",
                WIDTH,
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            yield "\n"
        yield "\n"


def markdown(results: list[Result]) -> str:
    """Return a Markdown table with a row for each rule and a column for each evaluator."""
    columns = by_evaluator(results)
    cases = list(dict.fromkeys(result.case.name for result in results))
    levels = {result.case.name: result.case.level for result in results}
    outcomes = {(r.evaluator, r.case.name): CELLS.get(r.outcome, str(r.outcome)) for r in results}
    rows = [["rule", "", *columns], ["---"] * (len(columns) + 2)]
    rows += [[f"`{case}`", levels[case], *(outcomes[name, case] for name in columns)] for case in cases]
    for level in LEVELS:
        counts = ("{} of {}".format(*count(members, level)) for members in columns.values())
        rows.append(["rules followed", level, *counts])
    return "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in rows)
