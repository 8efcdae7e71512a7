"""The settings of the study itself: its name, who runs it, when it accepts workers, and its preset."""

from typing import Final

from judging.protocol.presets import DEFAULT, PRESETS
from judging.protocol.settings import groups
from judging.protocol.settings.setting import Change, Kind, Pattern, Setting
from judging.protocol.words import gettext_noop as _

LANGUAGE_TAG: Final = Pattern(
    "[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", _("is not a language tag; write a tag such as en or pt-BR")
)

STUDY: Final = (
    Setting(
        "title",
        _("Title"),
        _("Workers see the title at the top of every page."),
        longest=200,
        needed=True,
        change=Change.ALWAYS,
        group=groups.STUDY,
    ),
    Setting(
        "requester",
        _("Requester"),
        _("The person or organisation that runs the study. Workers see this name."),
        longest=200,
        absent="needed to open",
        change=Change.ALWAYS,
        group=groups.STUDY,
    ),
    Setting(
        "contact",
        _("Contact"),
        _("What workers can use to contact you, such as an e-mail address."),
        longest=200,
        absent="needed to open",
        change=Change.ALWAYS,
        by_owners=True,
        group=groups.STUDY,
    ),
    Setting(
        "language",
        _("Language"),
        _(
            "The language of your texts and documents, as a tag such as en or pt-BR. Workers see Plumbline's"
            " own sentences in this language too, if Plumbline has a translation."
        ),
        default="en",
        longest=35,
        pattern=LANGUAGE_TAG,
        change=Change.ALWAYS,
        later=True,
        group=groups.STUDY,
    ),
    Setting(
        "opens_at",
        _("Opens at (UTC)"),
        _(
            "The time when the study starts to accept workers. Example: 2030-01-31 12:00:00. Without a time,"
            " the study accepts workers as soon as you open it."
        ),
        Kind.MOMENT,
        change=Change.ALWAYS,
        more="Do not write the time in quotes.",
        group=groups.DATES,
    ),
    Setting(
        "closes_at",
        _("Closes at (UTC)"),
        _(
            "The time when the study stops accepting workers. Without a time, the study accepts workers until"
            " you close it."
        ),
        Kind.MOMENT,
        change=Change.ALWAYS,
        group=groups.DATES,
    ),
)
PRESET: Final = (
    Setting(
        "preset",
        _("Preset"),
        _("Which values the settings have that you do not set yourself."),
        Kind.CHOICE,
        default=DEFAULT,
        options=tuple(PRESETS),
        option_help=tuple(preset.description for preset in PRESETS.values()),
        later=True,
        more="See [Presets](#presets).",
        by_arm=True,
        group=groups.PROTOCOL,
    ),
)
SLUG: Final = Setting(
    "slug",
    _("Name in URLs"),
    _("The study's name in URLs and commands: letters, digits, - and _. Workers go to /s/NAME/."),
    longest=60,
    absent="the folder's name",
    group=groups.STUDY,
)
"""The slug is not in `SETTINGS`, because it identifies the study, and the command line can override it."""
