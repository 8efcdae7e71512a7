"""Where workers come from, who of them may begin, and where they go back to."""

from decimal import Decimal
from typing import Final

from judging.protocol.platforms import PLATFORMS, with_entry
from judging.protocol.platforms.base import Entry
from judging.protocol.settings.base import Change, Kind, Pattern, Setting

_WHAT: Final = ", or ".join(f"{platform.what} ({platform.name})" for platform in PLATFORMS.values())


def _with(entry: Entry) -> str:
    return " or ".join(with_entry(entry))


_PARAMETER: Final = Pattern(
    "[A-Za-z0-9_.~-]{0,40}", "cannot stand in an address; use up to 40 letters, digits and _"
)

PLATFORM: Final = (
    Setting(
        "platform",
        "Platform",
        _WHAT[0].upper() + _WHAT[1:] + ".",
        Kind.CHOICE,
        "platform",
        default="direct",
        options=tuple(PLATFORMS),
        bundled=False,
    ),
    Setting(
        "entry",
        "Who may begin",
        f"open: whoever has the link. invite, with {_with(Entry.INVITE)}: who has a personal link. signed,"
        f" with {_with(Entry.SIGNED)}: who comes by a signed link.",
        Kind.CHOICE,
        "platform",
        default="open",
        options=tuple(entry.value for entry in Entry),
        change=Change.ALWAYS,
        by_owners=True,
        bundled=False,
        more="See [entry](../guides/entry.md).",
    ),
    Setting(
        "id_parameter",
        "Parameter with the worker’s id",
        "The parameter of the link that holds the platform's id of the worker. Needed with generic.",
        table="platform",
        longest=40,
        pattern=_PARAMETER,
        bundled=False,
    ),
    Setting(
        "submission_parameter",
        "Parameter with the visit’s id",
        "The parameter of the link that holds the platform's id of this visit.",
        table="platform",
        longest=40,
        pattern=_PARAMETER,
        bundled=False,
    ),
    Setting(
        "completion_url",
        "Address after a unit",
        "Where a worker who has completed a unit goes back to. May hold {code} and {submission}.",
        Kind.ADDRESS,
        "platform",
        longest=500,
        placeholders=("code", "submission"),
        bundled=False,
    ),
    Setting(
        "no_work_url",
        "Address without work",
        "Where a worker goes back to who has completed nothing.",
        Kind.ADDRESS,
        "platform",
        longest=500,
        bundled=False,
    ),
    Setting(
        "screen_out_url",
        "Address if screened out",
        "Where a worker goes back to who was screened out and has completed nothing; without it, to the"
        " address without work.",
        Kind.ADDRESS,
        "platform",
        longest=500,
        bundled=False,
    ),
    Setting(
        "platform_fee",
        "The platform’s fee, per cent",
        "What the platform takes on top of all pay, in per cent of it, such as 33.33. It is counted in"
        " estimates and never paid to anybody.",
        Kind.AMOUNT,
        "platform",
        default=Decimal("0.00"),
        most=100,
        change=Change.ALWAYS,
        bundled=False,
    ),
)
