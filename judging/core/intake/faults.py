"""What is wrong with a study file: all faults are gathered, each in one line, before anything is refused."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from evaluation.errors import InputError, shown
from judging.protocol.words import Sentence

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

    @property
    def kind(self) -> str:
        """What faults are counted by: those of one file are of one kind."""
        return self.file

    @classmethod
    def parsed(cls, text: str) -> "Where":
        """What `FILE:LINE` names, or a file alone."""
        file, colon, line = text.rpartition(":")
        return cls(file, int(line)) if colon and line.isascii() and line.isdigit() else cls(text)


@dataclass(frozen=True)
class Fault:
    """`times`: how often it was found in the file; `where` is the first place."""

    where: Where
    field: str
    what: str
    times: int = 1

    @property
    def told(self) -> str:
        """What is wrong, and how many more times the same was found."""
        return f"{self.what} (and {self.times - 1:,} more like this)" if self.times > 1 else self.what

    def __str__(self) -> str:
        return ": ".join(part for part in (str(self.where), self.field, self.told) if part)


class StudyRefusedError(Exception):
    """Nothing was written. `lines` has one sentence per fault: `FILE:LINE: field: what; how to mend it`."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        super().__init__("\n".join(lines))


class Faults:
    """Gathers faults. One that comes again and again is one line, with its first place and how often it came.

    A kind is a field of a file. Of each kind only the first 50 lines are kept, so that they cannot fill the
    memory. Where there are more than 50 in all, every kind is told before more of one.
    """

    def __init__(self) -> None:
        self.count = 0
        self._kept: dict[tuple[str, str], dict[str, Fault]] = {}
        self._beyond: Counter[tuple[str, str]] = Counter()

    def add(self, where: Where, field: str, what: Sentence | str, *, like: str = "") -> None:
        """Add a fault. `like` is the same for faults that differ only in the document or line they name."""
        self.count += 1
        what = str(what)
        kind, key = (where.kind, field), like or what
        if kind not in self._kept and len(self._kept) >= SHOWN:
            self._beyond[next(iter(self._kept))] += 1  # not more kinds than that either
            return
        kept = self._kept.setdefault(kind, {})
        fault = Fault(where, field, what)
        if key in kept:
            first = min(kept[key], fault, key=lambda one: one.where.line or 0)
            kept[key] = replace(first, times=kept[key].times + 1)
        elif len(kept) < SHOWN:
            kept[key] = fault
        else:
            self._beyond[kind] += 1

    @property
    def counts(self) -> dict[tuple[str, str], int]:
        """Kind → how many lines it would take to tell all of it."""
        return {kind: len(kept) + self._beyond[kind] for kind, kept in self._kept.items()}

    @property
    def more(self) -> int:
        """How many lines are not told."""
        return sum(self.counts.values()) - len(self.kept)

    def add_input_error(self, error: InputError, field: str) -> None:
        """A fault that `evaluation` found: it says file and line itself."""
        self.add(Where.parsed(error.where), field, error.what)

    @property
    def kept(self) -> list[Fault]:
        """Those that are told, by file and line: the first of each kind, then the second, up to 50."""
        turns = (
            (turn, kind, fault)
            for kind, found in enumerate(self._kept.values())
            for turn, fault in enumerate(found.values())
        )
        told = [fault for _, _, fault in sorted(turns, key=lambda one: one[:2])[:SHOWN]]
        return sorted(told, key=lambda fault: (fault.where.file, fault.where.line or 0))

    def raise_if_any(self) -> None:
        if not self.count:
            return
        lines = [" ".join(str(fault).split()) for fault in self.kept]
        if self.more:
            lines.append(f"… and {self.more:,} more.")
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
