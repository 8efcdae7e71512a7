"""The checks ([T15] 3.3, 3.4), each declared in its own file.

To add a check, add a module to this package, or announce a `Check` of a package of your own by an entry point
in the group `plumbline.checks`. Events, filters, exports, the API, metrics and the console's tables read
`CHECKS`.
"""

from collections.abc import Sequence
from typing import Final

from judging.protocol.checks.check import Check, FactValue, FinishedUnit, Settings, Told, UnitCheck
from judging.protocol.declared import by_name, declared, installed

CHECKS: Final[dict[str, Check[...]]] = by_name(
    [*declared(__name__, __path__, Check), *installed("checks", Check)], lambda check: check.letter
)
"""Maps the letter of each check to the check, in alphabetical order."""


def unit_checks() -> list[UnitCheck]:
    """Return the checks that run at the end of a unit."""
    return [check for check in CHECKS.values() if isinstance(check, UnitCheck)]


def letter_of_event() -> dict[str, str]:
    """Return a dict from the `event` of each check to the `letter` of the check."""
    return {check.event: check.letter for check in CHECKS.values()}


def failed_checks(unit: FinishedUnit, study: Settings) -> list[tuple[UnitCheck, dict[str, FactValue]]]:
    """Run all checks of a finished unit, and return the failed checks, each with its facts.

    All checks always run, so that every failure is recorded, and so that the page names the time check only
    if no other check failed.
    """
    findings = [(check, check.verdict(unit, study)) for check in unit_checks()]
    return [(check, dict(finding.facts)) for check, finding in findings if not finding.passed]


def told_of(failed: Sequence[UnitCheck], study: Settings) -> list[Told]:
    """Return what the page says about the failed checks, or an empty list if it says the paper's sentence.

    The page names checks only if it may name all failed checks. Otherwise, naming one would tell that another
    one failed too.
    """
    if study.failure_message == "paper" or any(check.told is None for check in failed):
        return []
    return [check.told for check in failed if check.told]


def attempts_left(most: int | None, *, failed: int) -> int | None:
    """Return how many times a worker can still try to pass a check, or None if `most` is None (no limit)."""
    return None if most is None else max(0, most - failed)
