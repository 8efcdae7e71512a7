"""Where the faults of a draft belong: to which field of which form."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from judging.intake.importing import FILE_NAME
from judging.intake.toml_lines import TomlLines

_MANY: Final = ("topic", "question", "anchor", "grades", "run")
"""Tables of which there can be several."""
_STEPS: Final = {
    "units": "terms",
    "checks": "terms",
    "pay": "terms",
    "platform": "terms",
    "documents": "files",
    "topics": "files",
    "pool": "files",
    "grades": "files",
    "run": "files",
    "topic": "topics",
    "question": "topics",
    "anchor": "anchors",
    "information": "texts",
    "consent": "texts",
    "consent_version": "texts",
    "instructions_magnitude": "texts",
    "instructions_task": "texts",
}


@dataclass(frozen=True)
class PlacedFault:
    """A fault with the form that can mend it; `place` counts among several tables of a name, from 0."""

    step: str
    name: str
    place: int | None
    where: str
    what: str


def placed(faults: Iterable[Mapping[str, Any]], text: str) -> list[PlacedFault]:
    """The faults of a check (see `reading`) of the study file `text`."""
    lines = TomlLines(text)
    return [_placed(fault, lines) for fault in faults]


def _placed(fault: Mapping[str, Any], lines: TomlLines) -> PlacedFault:
    file, line, name = fault["file"], fault["line"], fault["field"]
    where = file if line is None else f"{file}:{line}"
    first = name.partition(".")[0]
    if file != FILE_NAME:
        step = {"question": "topics", "anchor": "anchors"}.get(first, "files")
        return PlacedFault(step, name, None, where, fault["what"])
    place = None
    if first in _MANY and line is not None:
        place = sum(begin <= line for begin in lines.begins(first)) - 1
    step = _STEPS.get(first.removesuffix("_file"), "study" if first else "files")
    return PlacedFault(step, name, place, where, fault["what"])
