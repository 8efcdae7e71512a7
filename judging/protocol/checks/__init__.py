"""The checks ([T15] 3.3, 3.4), each in a file of its own, which is all that one needs.

A check is found by the `CHECK` of its file. Events, filters, exports, the API, metrics and the console's
tables read `CHECKS`.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from judging.protocol.checks.base import Check, FactValue, FinishedUnit, Settings, UnitCheck


def _found() -> list[Check[...]]:
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    return sorted(
        (module.CHECK for module in modules if hasattr(module, "CHECK")), key=lambda one: one.letter
    )


CHECKS: Final[dict[str, Check[...]]] = {check.letter: check for check in _found()}
"""Letter → check, in the order of the letters."""


def unit_checks() -> list[UnitCheck]:
    """Return the checks that run at the end of a unit."""
    return [check for check in CHECKS.values() if isinstance(check, UnitCheck)]


def letter_of_event() -> dict[str, str]:
    """Return kind of event → letter, for the events of failed checks."""
    return {check.event: check.letter for check in CHECKS.values()}


def failed_checks(unit: FinishedUnit, study: Settings) -> list[tuple[UnitCheck, dict[str, FactValue]]]:
    """Run all checks at the end of a unit; return those that failed, each with its facts.

    All of them always run, so that what a worker sees is the same whichever failed.
    """
    findings = [(check, check.verdict(unit, study)) for check in unit_checks()]
    return [(check, dict(finding.facts)) for check, finding in findings if not finding.passed]


def attempts_left(most: int | None, *, failed: int) -> int | None:
    """Return how many more times a unit may be finished, None without a limit (`most` is None)."""
    return None if most is None else max(0, most - failed)
