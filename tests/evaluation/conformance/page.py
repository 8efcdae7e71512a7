"""The page of the specification, and the results of several tools that it shows."""

import json
from pathlib import Path

from evaluation.conformance import Result, reports

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
PAGE = REFERENCE / "float-qrels.md"
RESULTS = REFERENCE / "float-qrels-results.json"


def stored_results() -> list[Result]:
    """Return the results that the page shows, in the form in which the command gives them."""
    return reports.from_rows(json.loads(RESULTS.read_text())["results"])
