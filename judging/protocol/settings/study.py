"""The study itself: what workers see of it, and when it takes them."""

from typing import Final

from judging.protocol.settings.base import Change, Kind, Pattern, Setting
from judging.protocol.words import gettext_noop as _

LANGUAGE_TAG: Final = Pattern(
    "[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", _("is not a language tag; write one such as en or pt-BR")
)

STUDY: Final = (
    Setting(
        "title",
        "Title",
        "What workers see above every page.",
        longest=200,
        needed=True,
        change=Change.ALWAYS,
    ),
    Setting(
        "requester",
        "Who asks",
        "As the workers are told.",
        longest=200,
        absent="needed to open",
        change=Change.ALWAYS,
    ),
    Setting(
        "contact",
        "Contact",
        "Where workers can write, such as an e-mail address.",
        longest=200,
        absent="needed to open",
        change=Change.ALWAYS,
        by_owners=True,
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
    ),
    Setting(
        "opens_at",
        "Opens at (UTC)",
        "From when on workers may come, such as 2030-01-31 12:00; without it, as soon as you open the study.",
        Kind.MOMENT,
        change=Change.ALWAYS,
        more="In the file write `2030-01-31T12:00:00Z`; without a zone it is UTC.",
    ),
    Setting(
        "closes_at",
        "Closes at (UTC)",
        "Until when workers may come; without it, until you close the study.",
        Kind.MOMENT,
        change=Change.ALWAYS,
    ),
)
SLUG: Final = Setting(
    "slug",
    "Name in addresses",
    "The study's name in addresses and commands: letters, digits, - and _. Workers come to /s/NAME/.",
    longest=60,
    absent="the folder's name",
)
"""Not among the settings: a study is found by it, and the command line may give another."""
