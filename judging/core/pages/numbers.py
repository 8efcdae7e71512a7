"""Show the numbers of reports on a page: rounded for people, exact for programs."""

import math

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

DIGITS = 4
GAP = SafeString('<span class="none">–</span>')


def exact(value: object) -> SafeString | str:
    """Return a `<data>` element that shows a float as `rounded` returns it.

    The attribute `value` of the element holds the exact number. For a missing value, return a dash. For a
    boolean, return "yes" or "no". Return other values as text.
    """
    if value is None or value == "":
        return GAP
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, float):
        return SafeString(f'<data value="{value!r}">{rounded(value)}</data>')
    return str(value)


def rounded(value: float) -> str:
    """Return a number as text, with four significant digits but at most four decimals.

    Very large and very small numbers have an exponent instead.
    """
    value = float(f"{value:.{DIGITS - 1}e}")
    if value == 0:
        return "0"
    if not 1e-4 <= abs(value) < 1e6:
        return f"{value:.{DIGITS - 1}e}".replace("-", "−")
    decimals = max(0, DIGITS - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(decimals, DIGITS)}f}".replace("-", "−")
