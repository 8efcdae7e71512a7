"""What is wrong with a study file: all faults are gathered, each in one line, before anything is refused."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from evaluation.errors import InputError, shown

__all__ = ["Fault", "Faults", "InputError", "StudyRefusedError", "Where", "shown"]

SHOWN: Final = 50
"""Faults told one by one; how many more there are is told in a last line."""


@dataclass(frozen=True)
class Where:
    """A line of a file, as the user would name it; without a line where the file as a whole is meant."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"

    @classmethod
    def parsed(cls, text: str) -> "Where":
        """What `FILE:LINE` names, or a file alone."""
        file, colon, line = text.rpartition(":")
        return cls(file, int(line)) if colon and line.isascii() and line.isdigit() else cls(text)


@dataclass(frozen=True)
class Fault:
    where: Where
    field: str
    what: str

    def __str__(self) -> str:
        return ": ".join(part for part in (str(self.where), self.field, self.what) if part)


class StudyRefusedError(Exception):
    """Nothing was written. `lines` has one sentence per fault: `FILE:LINE: field: what; how to mend it`."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        super().__init__("\n".join(lines))


class Faults:
    """Gathers faults. Of each kind only the first 50 are kept, so that they cannot fill the memory.

    A kind is a field of a file. Where there are more than 50 in all, every kind is told before more of one.
    """

    def __init__(self) -> None:
        self.count = 0
        self.counts: Counter[tuple[str, str]] = Counter()
        self._kept: dict[tuple[str, str], list[Fault]] = {}

    def add(self, where: Where, field: str, what: str) -> None:
        self.count += 1
        kind = (where.file, field)
        if kind not in self.counts and len(self.counts) >= SHOWN:
            kind = next(iter(self.counts))  # not more kinds than that either
        self.counts[kind] += 1
        kept = self._kept.setdefault(kind, [])
        if len(kept) < SHOWN:
            kept.append(Fault(where, field, what))

    def add_input_error(self, error: InputError, field: str) -> None:
        """A fault that `evaluation` found: it says file and line itself."""
        self.add(Where.parsed(error.where), field, error.what)

    @property
    def kept(self) -> list[Fault]:
        """Those that are told, by file and line: the first of each kind, then the second, up to 50."""
        turns = (
            (turn, kind, fault)
            for kind, found in enumerate(self._kept.values())
            for turn, fault in enumerate(found)
        )
        told = [fault for _, _, fault in sorted(turns, key=lambda one: one[:2])[:SHOWN]]
        return sorted(told, key=lambda fault: (fault.where.file, fault.where.line or 0))

    def raise_if_any(self) -> None:
        if not self.count:
            return
        lines = [" ".join(str(fault).split()) for fault in self.kept]
        if more := self.count - len(self.kept):
            lines.append(f"… and {more:,} more.")
        raise StudyRefusedError(lines)

    @contextmanager
    def watch(self) -> Iterator["Watch"]:
        """Tells, during and after the block, whether faults were added in it."""
        yield Watch(self, self.count)


@dataclass(frozen=True)
class Watch:
    faults: Faults
    before: int

    @property
    def clean(self) -> bool:
        return self.faults.count == self.before
