"""What workers are paid, and for what."""

from decimal import Decimal
from typing import Final

from judging.protocol.settings.base import Change, Kind, Pattern, Setting

_MOST: Final = Decimal("999999.99")

PAY: Final = (
    Setting(
        "pay_per_unit",
        "Pay for a unit",
        "What a completed unit is paid, with at most two decimals.",
        Kind.AMOUNT,
        "pay",
        default=Decimal("0.00"),
        most=_MOST,
        change=Change.ALWAYS,
        by_owners=True,
    ),
    Setting(
        "pay_screened_out",
        "Pay if screened out",
        "For a worker who has used up the tries at the practice or the questions.",
        Kind.AMOUNT,
        "pay",
        default=Decimal("0.00"),
        most=_MOST,
        change=Change.ALWAYS,
        by_owners=True,
        more="With it, answers given [too soon](../understanding/protocol.md#answers-that-come-too-soon)"
        " are asked for again.",
    ),
    Setting(
        "pay_cancelled",
        "Pay for a cancelled unit",
        "For a unit in work that a forced closing cancels.",
        Kind.AMOUNT,
        "pay",
        default=Decimal("0.00"),
        most=_MOST,
        change=Change.ALWAYS,
        by_owners=True,
    ),
    Setting(
        "currency",
        "Currency",
        "Three capital letters.",
        table="pay",
        default="USD",
        longest=3,
        pattern=Pattern("[A-Z]{3}", "is not three capital letters, such as USD"),
    ),
    Setting(
        "expected_minutes",
        "Minutes for a unit",
        "As workers are told; measure it in a pilot.",
        Kind.WHOLE,
        "pay",
        default=10,
        least=1,
        most=1440,
    ),
)
