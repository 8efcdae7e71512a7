"""What workers read before they judge."""

from typing import Final

from judging.protocol.settings.base import Kind, Setting

TEXTS: Final = (
    Setting(
        "information",
        "Information sheet",
        "Who asks and why, what is to do, how long it takes, what is stored, how to stop.",
        Kind.MARKDOWN,
        absent="needed to open",
    ),
    Setting("consent", "Consent", "What the worker agrees to.", Kind.MARKDOWN, absent="needed to open"),
    Setting(
        "consent_version",
        "Version of the consent",
        "Stored with each consent; change it with the text.",
        default="1",
        longest=40,
    ),
    Setting(
        "instructions_magnitude",
        "Instructions on magnitudes",
        "What magnitude estimation is, before the practice.",
        Kind.MARKDOWN,
        absent="shipped",
    ),
    Setting(
        "instructions_task",
        "Instructions on the task",
        "How documents are judged, before the topic.",
        Kind.MARKDOWN,
        absent="shipped",
    ),
)
