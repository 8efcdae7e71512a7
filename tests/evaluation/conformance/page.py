"""The page of the specification, and what it repeats of the suite and of the stored results."""

import json
import textwrap
from pathlib import Path

from evaluation.conformance import Outcome, Result, load_cases, reports

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
PAGE = REFERENCE / "float-qrels.md"
WIDTH = 120
RESULTS = REFERENCE / "float-qrels-results.json"


def rules() -> dict[str, str]:
    """Return the list of the rules of each section, as the page shows it."""
    sections: dict[str, str] = {}
    for case in load_cases():
        line = textwrap.fill(
            f"- `{case.name}`: {case.rule.replace(f' {case.level} ', f' **{case.level}** ')}",
            WIDTH,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        sections[case.section] = f"{sections.get(case.section, '')}{line}\n"
    return sections


def stored_results() -> list[Result]:
    """Return the results that the page shows, in the form in which the command gives them."""
    cases = {case.name: case for case in load_cases()}
    return [
        Result(row["evaluator"], cases[row["rule"]], Outcome(row["outcome"]), row["detail"])
        for row in json.loads(RESULTS.read_text())["results"]
    ]


def table() -> str:
    """Return the table of the stored results."""
    return reports.markdown(stored_results())


def versions() -> str:
    """Return the versions of the tools, as the page shows them."""
    *tools, python = (" ".join(pair) for pair in json.loads(RESULTS.read_text())["versions"].items())
    return f"{', '.join(tools)} on {python}"
