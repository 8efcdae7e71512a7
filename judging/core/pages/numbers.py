"""Numbers of reports on a page: short to read, exact to copy."""

import math

from django.utils.html import format_html
from django.utils.safestring import SafeString

DIGITS = 4
GAP = SafeString('<span class="none">–</span>')


def exact(value: object) -> SafeString | str:
    """A number to four digits, in an element that holds all of them; a gap as a dash; yes and no in words."""
    if value is None or value == "":
        return GAP
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return format_html('<data value="{}">{}</data>', repr(value), rounded(value))
    return str(value)


def rounded(value: float) -> str:
    """Four digits that count, without an exponent where that reads well."""
    value = float(f"{value:.{DIGITS - 1}e}")
    if value == 0:
        return "0"
    if not 1e-4 <= abs(value) < 1e6:
        return f"{value:.{DIGITS - 1}e}".replace("-", "−")
    decimals = max(0, DIGITS - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(decimals, DIGITS)}f}".replace("-", "−")
