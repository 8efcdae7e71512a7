"""Convert the values of attempts and events that are not columns of their models."""

from typing import Final

from judging.archive.bundles import layout
from judging.archive.bundles.values import RowFaultError
from judging.archive.bundles.writing import Values
from judging.models.event import IN_FACTS
from judging.protocol.checks import unit_checks
from judging.protocol.words import gettext_noop as _

_ONE_NULL: Final = _("This field and failed_finishes must both be null or both be numbers.")
_NEGATIVE: Final = _("The number is below 0.")


def further_facts(values: Values) -> dict[str, object]:
    """Return the facts of an event for which the model has no column, by name."""
    paths = {field.name: field.attribute for field in layout.EVENTS.fields}
    return {
        name: value
        for name, value in values.items()
        if value is not None and paths.get(name, "").startswith(IN_FACTS)
    }


def failed_checks_of(values: Values) -> dict[str, int] | None:
    """Return a dict from the letter of each failed check to the number of failures.

    Return None if the numbers are unknown. Raise RowFaultError if a number is impossible.
    """
    counts = {check: values[layout.failed_field(check)] for check in unit_checks()}
    for check, number in counts.items():
        if (number is None) != (values["failed_finishes"] is None):
            raise RowFaultError(layout.failed_field(check), _ONE_NULL)
        if number is not None and number < 0:
            raise RowFaultError(layout.failed_field(check), _NEGATIVE)
    if None in counts.values():
        return None
    return {check.letter: number for check, number in counts.items() if number}
