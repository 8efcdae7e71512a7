"""The settings for workers' pay."""

from decimal import Decimal
from typing import Final

from judging.protocol.settings.base import Change, Kind, Pattern, Setting
from judging.protocol.words import gettext_noop as _

_MOST: Final = Decimal("999999.99")

PAY: Final = (
    Setting(
        "pay_per_unit",
        _("Pay per unit"),
        _("Pay for a completed unit. Use at most two decimal places."),
        Kind.AMOUNT,
        "pay",
        default=Decimal("0.00"),
        most=_MOST,
        change=Change.ALWAYS,
        by_owners=True,
    ),
    Setting(
        "pay_screened_out",
        _("Pay for screened-out workers"),
        _("Pay for a worker who uses up all attempts at the practice task or the questions."),
        Kind.AMOUNT,
        "pay",
        default=Decimal("0.00"),
        most=_MOST,
        change=Change.ALWAYS,
        by_owners=True,
        more="If it is above 0, workers who answer"
        " [too soon](../understanding/protocol.md#answers-that-come-too-soon) are asked again.",
    ),
    Setting(
        "pay_checks_failed",
        _("Pay for a unit that fails the checks"),
        _("Pay for a unit that ends because the worker has no attempts left to finish it."),
        Kind.AMOUNT,
        "pay",
        default=Decimal("0.00"),
        most=_MOST,
        change=Change.ALWAYS,
        by_owners=True,
        later=True,
    ),
    Setting(
        "pay_cancelled",
        _("Pay for a cancelled unit"),
        _(
            "Pay for a unit that is cancelled when you close the study, or that ends because a document"
            " cannot be judged."
        ),
        Kind.AMOUNT,
        "pay",
        default=Decimal("0.00"),
        most=_MOST,
        change=Change.ALWAYS,
        by_owners=True,
    ),
    Setting(
        "currency",
        _("Currency"),
        _("Three capital letters, such as USD."),
        table="pay",
        default="USD",
        longest=3,
        pattern=Pattern("[A-Z]{3}", _("must be three capital letters, such as USD")),
    ),
    Setting(
        "expected_minutes",
        _("Minutes per unit"),
        _("How long a unit takes. Workers see this number, so measure it in a pilot."),
        Kind.WHOLE,
        "pay",
        default=10,
        least=1,
        most=1440,
    ),
)
