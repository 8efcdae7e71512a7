"""What is wrong with a study file: all faults are gathered, each in one line, before anything is refused."""

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
    """Gathers faults. Only the first 50 are kept, so that a file full of them cannot fill the memory."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[Fault] = []

    def add(self, where: Where, field: str, what: str) -> None:
        self.count += 1
        if len(self._kept) < SHOWN:
            self._kept.append(Fault(where, field, what))

    def add_input_error(self, error: InputError, field: str) -> None:
        """A fault that `evaluation` found: it says file and line itself."""
        self.add(Where(error.where), field, error.what)

    @property
    def kept(self) -> list[Fault]:
        """Those that are told, by file and line."""
        return sorted(self._kept, key=lambda fault: (fault.where.file, fault.where.line or 0))

    def raise_if_any(self) -> None:
        if not self.count:
            return
        lines = [" ".join(str(fault).split()) for fault in self.kept]
        if more := self.count - len(self._kept):
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
