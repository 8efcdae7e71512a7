"""Where the faults of a draft belong: to which field of which form."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from judging.intake.draft_fields import SECTIONS
from judging.intake.importing import FILE_NAME
from judging.intake.toml_lines import TomlLines

_MANY: Final = ("topic", "question", "anchor", "grades", "run")
"""Tables of which there can be several."""
_STEPS: Final = {
    "documents": "files",
    "topics": "files",
    "pool": "files",
    "grades": "files",
    "run": "files",
    "topic": "topics",
    "question": "topics",
    "anchor": "anchors",
    **{
        field.name: section
        for section, headings in SECTIONS.items()
        for fields in headings.values()
        for field in fields
    },
}


_MISSING: Final = {
    ("", "there are no topics"): "There are no topics yet: upload a file of them, or write them by hand.",
    (
        "pool",
        "says nothing",
    ): "There is no pool yet: upload runs and say how deep to pool them, or upload a list.",
    ("documents.path", "is missing"): "There are no documents yet: upload them.",
    ("documents.format", "is missing"): "",
}
"""Field and how a fault begins → what a form says of what nobody has given yet; empty if said above."""


@dataclass(frozen=True)
class PlacedFault:
    """A fault with the form that can mend it; `place` counts among several tables of a name, from 0.

    `missing`: nothing is wrong yet, it is only not there; `what` is then a sentence without a line.
    """

    step: str
    name: str
    place: int | None
    where: str
    what: str
    missing: bool = False


def placed(faults: Iterable[Mapping[str, Any]], text: str) -> list[PlacedFault]:
    """The faults of a check (see `reading`) of the study file `text`."""
    lines = TomlLines(text)
    found = (_placed(fault, lines) for fault in faults)
    return [fault for fault in found if fault.what]


def steps_of(counts: Iterable[tuple[str, str, int]]) -> dict[str, int]:
    """Step → how many faults it has in all, told or not; `counts` are those of a check."""
    steps: dict[str, int] = {}
    for file, name, number in counts:
        step = _step(file, name)
        steps[step] = steps.get(step, 0) + number
    return steps


def _step(file: str, name: str) -> str:
    first = name.partition(".")[0]
    if file != FILE_NAME:
        return {"question": "topics", "anchor": "anchors"}.get(first, "files")
    return _STEPS.get(name) or _STEPS.get(first.removesuffix("_file"), "study" if first else "files")


def _placed(fault: Mapping[str, Any], lines: TomlLines) -> PlacedFault:
    file, line, name = fault["file"], fault["line"], fault["field"]
    where = file if line is None else f"{file}:{line}"
    first, step = name.partition(".")[0], _step(file, name)
    if file != FILE_NAME:
        what = fault["what"].replace("or name it in [[anchor]]", "or choose one for the topic")
        return PlacedFault(step, name, None, where, what)
    for (field, begins), said in _MISSING.items():
        if field == name and fault["what"].startswith(begins):
            return PlacedFault(step, "", None, "", said, missing=True)
    place = None
    if first in _MANY and line is not None:
        place = sum(begin <= line for begin in lines.begins(first)) - 1
    return PlacedFault(step, name, place, where, fault["what"])
