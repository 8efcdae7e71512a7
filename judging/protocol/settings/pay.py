"""The settings for workers' pay, and for the cost of machine judges."""

from decimal import Decimal
from typing import Final

from judging.protocol.settings import groups
from judging.protocol.settings.setting import Change, Kind, Pattern, Setting
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
        by_arm=True,
        group=groups.PAY,
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
        group=groups.FURTHER_PAY,
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
        group=groups.FURTHER_PAY,
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
        group=groups.FURTHER_PAY,
    ),
    Setting(
        "least_paid_seconds",
        _("Minimum seconds for pay"),
        _(
            "If the documents of a unit were open for less time in total, a researcher decides about the"
            " pay. If this is empty, each document that the worker reached needs the minimum seconds of a"
            " document."
        ),
        Kind.WHOLE,
        "pay",
        least=0,
        most=86_400,
        absent="from `seconds_per_document`",
        change=Change.ALWAYS,
        by_owners=True,
        later=True,
        group=groups.FURTHER_PAY,
    ),
    Setting(
        "max_compensations_per_worker",
        _("Maximum paid units that are not completed, per worker"),
        _(
            "How often a worker is paid for a unit that is cancelled or fails the checks, or for being"
            " screened out. Further ones are not paid."
        ),
        Kind.WHOLE,
        "pay",
        default=3,
        least=0,
        most=10_000,
        unlimited=True,
        change=Change.ALWAYS,
        by_owners=True,
        later=True,
        group=groups.FURTHER_PAY,
    ),
    Setting(
        "spending_limit",
        _("Spending limit"),
        _(
            "The most that the study pays all workers together, without the platform’s fee. Workers"
            " cannot reserve a unit that could exceed it. They can finish the units that they have, and are"
            " paid for them."
        ),
        Kind.AMOUNT,
        "pay",
        least=0,
        most=Decimal("99999999.99"),
        unlimited=True,
        change=Change.ALWAYS,
        by_owners=True,
        later=True,
        group=groups.FURTHER_PAY,
    ),
    Setting(
        "machine_budget",
        _("Budget for machine judges"),
        _(
            "The most that all machine judges of the study can cost together, in the study’s currency. If"
            " this is empty, each judge only has its own limits."
        ),
        Kind.AMOUNT,
        "pay",
        least=0,
        most=Decimal("99999999.99"),
        absent="no limit besides those of the judges",
        change=Change.ALWAYS,
        by_owners=True,
        later=True,
        more="See [Machine judges](../guides/machine-judges.md#set-a-budget-for-all-judges).",
        group=groups.MACHINES,
    ),
    Setting(
        "paid_within",
        _("Days until payment"),
        _("Within how many days after a visit you pay. Workers see this number."),
        Kind.WHOLE,
        "pay",
        least=1,
        most=365,
        absent="needed to open a study that pays",
        change=Change.ALWAYS,
        by_owners=True,
        later=True,
        group=groups.PAY,
    ),
    Setting(
        "currency",
        _("Currency"),
        _("Three capital letters, such as USD."),
        table="pay",
        default="USD",
        longest=3,
        pattern=Pattern("[A-Z]{3}", _("must be three capital letters, such as USD")),
        group=groups.PAY,
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
        by_arm=True,
        group=groups.PAY,
    ),
)
