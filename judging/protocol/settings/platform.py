"""The settings of the platform: where workers come from, who can start, and where workers go at the end."""

from decimal import Decimal
from typing import Final

from judging.protocol.platforms import DEFAULT, PLATFORMS, with_entry
from judging.protocol.platforms.base import Entry
from judging.protocol.settings import groups
from judging.protocol.settings.setting import Change, Kind, Pattern, Setting
from judging.protocol.words import gettext_noop as _

_ENTRIES_IN_DOCS: Final = "; ".join(f"`{entry}` needs {' or '.join(with_entry(entry))}" for entry in Entry)
_PARAMETER: Final = Pattern(
    "[A-Za-z0-9_.~-]{0,40}", _("cannot be used in a web address; use up to 40 letters, digits and _")
)
_CODE: Final = Pattern("[A-Za-z0-9-]{0,40}", _("is not a completion code; use up to 40 letters and digits"))

PLATFORM: Final = (
    Setting(
        "platform",
        _("Platform"),
        _("Where workers come from."),
        Kind.CHOICE,
        "platform",
        default=DEFAULT,
        options=tuple(PLATFORMS),
        option_help=tuple(platform.description for platform in PLATFORMS.values()),
        extensible=True,
        bundled=False,
        group=groups.PLATFORM,
    ),
    Setting(
        "entry",
        _("Who can start"),
        _(
            "open: everybody who has the link. invite: workers with a personal link. signed: workers with a"
            " link that another system has signed for them."
        ),
        Kind.CHOICE,
        "platform",
        default="open",
        options=tuple(entry.value for entry in Entry),
        change=Change.ALWAYS,
        by_owners=True,
        bundled=False,
        more=f"{_ENTRIES_IN_DOCS}. See [entry](../guides/entry.md).",
        group=groups.PLATFORM,
    ),
    Setting(
        "id_parameter",
        _("Link parameter for the worker’s id"),
        _(
            "The link parameter that contains the platform's id for the worker. It is required if the"
            " platform is generic."
        ),
        table="platform",
        longest=40,
        pattern=_PARAMETER,
        bundled=False,
        group=groups.LINKS,
    ),
    Setting(
        "submission_parameter",
        _("Link parameter for the visit’s id"),
        _("The link parameter that contains the platform's id for the visit."),
        table="platform",
        longest=40,
        pattern=_PARAMETER,
        bundled=False,
        group=groups.LINKS,
    ),
    Setting(
        "completion_url",
        _("URL after a completed unit"),
        _("The URL to which workers go after they complete a unit. It can contain {code} and {submission}."),
        Kind.ADDRESS,
        "platform",
        longest=500,
        placeholders=("code", "submission"),
        bundled=False,
        group=groups.LINKS,
    ),
    Setting(
        "no_work_url",
        _("URL if no unit is completed"),
        _("Where workers go if they have not completed a unit."),
        Kind.ADDRESS,
        "platform",
        longest=500,
        bundled=False,
        group=groups.LINKS,
    ),
    Setting(
        "screen_out_url",
        _("URL for screened-out workers"),
        _(
            "Where workers go if they are screened out before they complete a unit. If this is empty,"
            " they go to the URL for workers who have not completed a unit."
        ),
        Kind.ADDRESS,
        "platform",
        longest=500,
        bundled=False,
        group=groups.LINKS,
    ),
    *(
        Setting(
            key,
            label,
            help,
            table="platform",
            longest=40,
            pattern=_CODE,
            bundled=False,
            group=groups.LINKS,
        )
        for platform in PLATFORMS.values()
        for key, (label, help) in platform.codes.items()
    ),
    Setting(
        "platform_fee",
        _("Platform fee in per cent"),
        _(
            "What the platform charges on top of workers' pay, such as 33.33 per cent. Plumbline"
            " adds the fee to cost estimates, but does not pay it."
        ),
        Kind.AMOUNT,
        "platform",
        default=Decimal("0.00"),
        most=100,
        change=Change.ALWAYS,
        bundled=False,
        group=groups.LINKS,
    ),
)
