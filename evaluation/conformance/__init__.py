"""The conformance suite for real-valued qrels: small files, expected values, and a check for evaluators.

`suite.json` lists the cases. Each case has a rule from the specification (`docs/reference/float-qrels.md`)
and the paths of a qrels file and a run. `expect` says whether a tool has to return values, has to reject the
files, or may do either. `values` has the expected values by topic and measure, where `null` means no value.
`lists` explains the values: it shows the gains of the ranked list and of the ideal list. The suite is part of
the library, so that one command checks a tool wherever the library is installed.
"""

import json
import math
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from ..errors import InputError
from ..reading import read_qrels, read_run
from ..scores import score

FOLDER: Final = Path(__file__).parent
LEVELS: Final = ("must", "should", "may")

Values = Mapping[str, Mapping[str, float | None]]
"""Values by topic and measure."""
Evaluator = Callable[[str, str, list[str]], Values]
"""A function that takes the path of a qrels file, the path of a run, and measures as named by ir_measures.

It returns the values by topic and measure.
"""


class Outcome(StrEnum):
    """What an evaluator did with the files of a case."""

    FOLLOWS = "yes"
    WRONG = "wrong"
    REJECTS = "rejects"
    ACCEPTS = "accepts"
    NOT_OFFERED = "not offered"


class Case(NamedTuple):
    """A rule and the files that test it. `values` is None if a tool has to reject the files."""

    name: str
    section: str
    level: str
    rule: str
    qrels: Path
    run: Path
    measures: list[str]
    values: Values | None
    may_reject: bool


class Result(NamedTuple):
    """What an evaluator did with a case. `detail` describes the first wrong value or the error, if any."""

    evaluator: str
    case: Case
    outcome: Outcome
    detail: str


def load_cases() -> list[Case]:
    """Return the cases of the suite, in the order of the specification."""
    suite = json.loads((FOLDER / "suite.json").read_text(encoding="utf-8"))
    return [
        Case(
            entry["name"],
            entry["section"],
            entry["level"],
            entry["rule"],
            FOLDER / entry["qrels"],
            FOLDER / entry["run"],
            entry["measures"],
            entry.get("values"),
            may_reject=entry["expect"] != "values",
        )
        for entry in suite["cases"]
    ]


def plumbline(qrels: str, run: str, measures: list[str]) -> Values:
    """Evaluate a run with this library. Raise `InputError` for invalid files.

    This is also an example of an evaluator.
    """
    values: dict[str, dict[str, float | None]] = {}
    for row in score(read_qrels(qrels), [read_run(run)], measures).rows:
        values.setdefault(row.topic, {})[row.measure] = row.value
    return values


def check(
    evaluator: Evaluator, name: str, cases: Iterable[Case] | None = None, *, tolerance: float = 1e-9
) -> list[Result]:
    """Run an evaluator on the suite, or on some of its cases. Return a result for each case.

    A value is right if it differs from the expected value by at most `tolerance`. The difference is relative
    if the values are above 1, and absolute otherwise. An evaluator rejects files by raising an exception. Two
    types of exception have another meaning. `NotImplementedError` says that the evaluator does not offer the
    measure. `ImportError` is passed on to the caller.

    Raise `InputError` if the evaluator rejects the first case of the suite, which is the simplest. Without
    this check, an evaluator that does not work at all would seem to follow every rule about rejections.

    Example: `check(plumbline, "plumbline")[0].outcome` is `Outcome.FOLLOWS`.
    """
    plain = load_cases()[0]
    outcome, detail = _outcome(evaluator, plain, tolerance)
    if outcome is Outcome.REJECTS:
        raise InputError(
            "evaluator-does-not-work",
            "{evaluator} rejects even the simplest pair of files ({qrels} and {run}: {reason}); "
            "correct the function",
            evaluator=name,
            qrels=plain.qrels.name,
            run=plain.run.name,
            reason=detail,
        )
    return [
        Result(name, case, *_outcome(evaluator, case, tolerance))
        for case in (load_cases() if cases is None else cases)
    ]


def _outcome(evaluator: Evaluator, case: Case, tolerance: float) -> tuple[Outcome, str]:
    try:
        with redirect_stdout(sys.stderr):
            values = evaluator(str(case.qrels), str(case.run), list(case.measures))
    except ImportError:
        raise
    except NotImplementedError as error:
        return Outcome.NOT_OFFERED, str(error)
    except (Exception, SystemExit) as error:  # tools reject input with various exceptions
        lines = str(error).replace(f"{FOLDER}/", "").splitlines() or [""]
        outcome = Outcome.FOLLOWS if case.may_reject else Outcome.REJECTS
        return outcome, f"{type(error).__name__}: {lines[0]}"
    if case.values is None:
        return Outcome.ACCEPTS, ""
    detail = _first_difference(values, case.values, tolerance)
    return (Outcome.WRONG if detail else Outcome.FOLLOWS), detail


def _first_difference(values: Values, expected: Values, tolerance: float) -> str:
    """Return a description of the first value that is not as expected, or "" if there is none."""
    for topic in sorted({*values, *expected}):
        given, wanted = values.get(topic, {}), expected.get(topic, {})
        for measure in sorted({*given, *wanted}):
            value, right = _number(given.get(measure)), _number(wanted.get(measure))
            if not _is_close(value, right, tolerance):
                return f"topic {topic}, {measure}: {_shown(value)} instead of {_shown(right)}"
    return ""


def _number(value: float | None) -> float | None:
    """Return the value as a float. Return None for both None and NaN."""
    return None if value is None or math.isnan(value) else float(value)


def _is_close(value: float | None, right: float | None, tolerance: float) -> bool:
    if value is None or right is None:
        return value is right
    return math.isclose(value, right, rel_tol=tolerance, abs_tol=tolerance)


def _shown(value: float | None) -> str:
    return "no value" if value is None else f"{value:.9g}"


def copy_suite(folder: str) -> None:
    """Copy `suite.json` and its files into a new folder.

    Raise `InputError` if the folder exists or cannot be written.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True)
        shutil.copy(FOLDER / "suite.json", target)
        shutil.copytree(FOLDER / "files", target / "files")
    except OSError as error:
        raise InputError(
            "suite-not-copied",
            "the suite cannot be copied ({reason}); give the path of a new folder",
            folder,
            reason=error.strerror or str(error),
        ) from None
