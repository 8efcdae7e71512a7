"""The section that compares the arms of a study."""

from typing import Final

from ...text import Text
from .. import needs
from ..parts import Part, Section

ARMS: Final = Section(
    "arms",
    Text("Scales side by side"),
    (
        Part(
            "side-by-side",
            Text("Arms side by side"),
            "",
            Text(
                "The arms have the same documents and units, and differ in their scale or in other settings. "
                "No arm is called better where intervals overlap."
            ),
            (needs.judgments, needs.arms),
        ),
    ),
)
