from decimal import Decimal

from judging.protocol.settings.setting import Change, Kind, Setting

BONUS = Setting(
    "bonus",
    "Bonus",
    "What a worker gets on top for the tenth unit.",
    Kind.AMOUNT,
    "pay",
    default=Decimal("0.00"),
    most=100,
    change=Change.ALWAYS,
)
