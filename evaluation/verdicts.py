"""The verdicts that people can give on disagreements between the crowd and a known grade, as in [T15]."""

from collections.abc import Mapping
from typing import Final

from .text import Text

VERDICTS: Final[Mapping[str, Text]] = {
    "crowd_wrong": Text("crowd wrong"),
    "expert_wrong": Text("expert wrong"),
    "topic_unclear": Text("topic unclear"),
}
"""Maps each verdict that a file or a table can give to the words for it."""
