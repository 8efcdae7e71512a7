"""The settings with the texts that workers read before they judge."""

from typing import Final

from judging.protocol.settings import groups
from judging.protocol.settings.setting import Change, Kind, Setting
from judging.protocol.words import gettext_noop as _

TEXTS: Final = (
    Setting(
        "information",
        _("Information"),
        _(
            "Who runs the study and why, what workers do, how long it takes, what you store, and how workers"
            " can stop."
        ),
        Kind.MARKDOWN,
        absent="needed to open",
        group=groups.TEXTS,
    ),
    Setting(
        "consent",
        _("Consent"),
        _("What the worker agrees to."),
        Kind.MARKDOWN,
        absent="needed to open",
        group=groups.TEXTS,
    ),
    Setting(
        "consent_version",
        _("Version of the consent text"),
        _(
            "Plumbline stores this version each time a worker consents. Change the version when you change"
            " the consent text, or a setting that it shows with a field."
        ),
        default="1",
        longest=40,
        change=Change.ALWAYS,
        by_owners=True,
        group=groups.TEXTS,
    ),
    Setting(
        "instructions_magnitude",
        _("Instructions on magnitude estimation"),
        _("What magnitude estimation is. Workers read these instructions before the practice task."),
        Kind.MARKDOWN,
        absent="shipped",
        by_arm=True,
        group=groups.TEXTS,
    ),
    Setting(
        "instructions_0_100",
        _("Instructions on numbers from 0 to 100"),
        _("How to answer from 0 to 100. Workers read these instructions before the practice task."),
        Kind.MARKDOWN,
        default="",
        absent="shipped",
        later=True,
        by_arm=True,
        group=groups.TEXTS,
    ),
    Setting(
        "instructions_grades",
        _("Instructions on grades"),
        _("How to answer with grades. Workers read these instructions before the practice task."),
        Kind.MARKDOWN,
        default="",
        absent="shipped",
        later=True,
        by_arm=True,
        group=groups.TEXTS,
    ),
    Setting(
        "instructions_preference",
        _("Instructions on preferences"),
        _(
            "How to compare two things. On the scale preference, workers read these instructions before the"
            " practice task."
        ),
        Kind.MARKDOWN,
        default="",
        absent="shipped",
        later=True,
        group=groups.TEXTS,
    ),
    Setting(
        "instructions_task",
        _("Instructions for the task"),
        _("Explain how to judge documents. Workers read this text before the topic."),
        Kind.MARKDOWN,
        absent="shipped",
        by_arm=True,
        group=groups.TEXTS,
    ),
)
