"""The faults of an imported file. Plumbline collects all of them before it refuses the import."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from evaluation.errors import InputError, shown
from judging.core.stored_sentences import from_json, in_language, to_json
from judging.core.words import as_sentence
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _

__all__ = ["Fault", "Faults", "InputError", "StudyRefusedError", "Where", "shown"]

SHOWN: Final = 50
"""The maximum number of faults in a list. One more line gives the number of faults that are not listed."""
UNCHECKED: Final = _(
    "Lines for other topics are not checked yet, because not all topics could be read. Correct the topics"
    " first."
)
"""The remark after the faults if `Faults.has_unchecked` is true."""
_REPEATED: Final = ngettext_noop(
    "{fault} (and {number} more problem like this)", "{fault} (and {number} more problems like this)"
)


@dataclass(frozen=True)
class Where:
    """A line of a file, or the whole file if `line` is None. `file` is the path as the user wrote it."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"

    @property
    def kind(self) -> str:
        """Return a key that is the same for all places in a file.

        `Faults` groups faults by this key and by field.
        """
        return self.file

    @classmethod
    def parsed(cls, text: str) -> "Where":
        """Parse a place that is written as `FILE:LINE` or `FILE`."""
        file, colon, line = text.rpartition(":")
        return cls(file, int(line)) if colon and line.isascii() and line.isdigit() else cls(text)


@dataclass(frozen=True)
class Fault:
    """A fault in a field. `sentence` is a template with its values, so that a page can translate it.

    `times` is the number of places where the fault occurs, and `where` is the first of these places.
    """

    where: Where
    field: str
    sentence: Sentence
    times: int = 1

    @property
    def message(self) -> Sentence:
        """Return the fault's sentence. If the fault is repeated, add the number of repetitions."""
        if self.times == 1:
            return self.sentence
        text, plural = _REPEATED
        return Sentence(text, {"fault": self.sentence, "number": self.times - 1}, plural)

    @property
    def line(self) -> Sentence:
        """Return the fault with its place, as `FILE:LINE: field: What is wrong. How to fix it`."""
        parts = {"place": str(self.where), "field": self.field, "fault": self.message}
        shown_parts = {name: part for name, part in parts.items() if part}
        return Sentence(": ".join(f"{{{name}}}" for name in shown_parts), shown_parts)

    def __str__(self) -> str:
        return str(self.line)


class StudyRefusedError(Exception):
    """A study has faults, so nothing was written to the database.

    `sentences` holds a sentence for each fault. `lines` holds the same sentences in English, each as a
    single line.
    """

    def __init__(self, sentences: Sequence[Sentence | str]) -> None:
        self.sentences = list(sentences)
        self.lines = [" ".join(str(sentence).split()) for sentence in sentences]
        super().__init__("\n".join(self.lines))

    def without(self, path: str, replacement: str = "") -> "StudyRefusedError":
        """Return the same error, with a path on the server replaced by `replacement`."""
        stored = [to_json(sentence, without=path, replacement=replacement) for sentence in self.sentences]
        return StudyRefusedError([from_json(sentence) for sentence in stored])

    @property
    def translated_lines(self) -> list[str]:
        """Return each sentence in the active language."""
        return [in_language(to_json(sentence)) for sentence in self.sentences]


class Faults:
    """Collects faults. A repeated fault is listed once, with its first place and the number of repetitions.

    Faults in the same field of the same file are of one kind. To limit the use of memory, at most 50 kinds
    are stored, and at most 50 different faults of each kind.

    `notices` says what was read from the files, and what was left out. A notice refuses nothing.
    `has_unchecked` is true if a line was not checked against the topics, because of a fault in the topics.
    """

    def __init__(self) -> None:
        self.count = 0
        self.notices: list[Sentence] = []
        self.has_unchecked = False
        self._by_kind: dict[tuple[str, str], dict[str, Fault]] = {}
        self._dropped: Counter[tuple[str, str]] = Counter()

    def add(
        self, where: Where, field: str, text: Sentence | str, /, *, like: str = "", **values: object
    ) -> None:
        """Add a fault. `text` is a sentence, or English text with placeholders such as `{topic}`.

        `values` holds the values of the placeholders. Text without values may contain braces. If several
        faults have the same `like`, they are treated as one repeated fault. Use `like` for faults whose
        sentences differ only in the document or the line that they name.
        """
        self.count += 1
        sentence = as_sentence(text, values)
        kind, key = (where.kind, field), like or str(sentence)
        if kind not in self._by_kind and len(self._by_kind) >= SHOWN:
            self._dropped[next(iter(self._by_kind))] += 1  # count it with the first kind
            return
        faults = self._by_kind.setdefault(kind, {})
        fault = Fault(where, field, sentence)
        if key in faults:
            first = min(faults[key], fault, key=lambda same: same.where.line or 0)
            faults[key] = replace(first, times=faults[key].times + 1)
        elif len(faults) < SHOWN:
            faults[key] = fault
        else:
            self._dropped[kind] += 1

    @property
    def counts(self) -> dict[tuple[str, str], int]:
        """Return the number of different faults of each kind."""
        return {kind: len(faults) + self._dropped[kind] for kind, faults in self._by_kind.items()}

    @property
    def more(self) -> int:
        """Return the number of different faults that are not listed."""
        return sum(self.counts.values()) - len(self.listed)

    def add_input_error(self, error: InputError, field: str) -> None:
        """Add an error from `evaluation` as a fault, at the file and line that the error gives."""
        self.add(Where.parsed(error.where), field, Sentence(error.text, error.values))

    @property
    def listed(self) -> list[Fault]:
        """Return up to 50 faults, sorted by file and line.

        If there are more, choose the first fault of each kind, then the second of each kind, and so on.
        """
        turns = (
            (turn, kind, fault)
            for kind, faults in enumerate(self._by_kind.values())
            for turn, fault in enumerate(faults.values())
        )
        listed = [fault for _turn, _kind, fault in sorted(turns, key=lambda entry: entry[:2])[:SHOWN]]
        return sorted(listed, key=lambda fault: (fault.where.file, fault.where.line or 0))

    def raise_if_any(self) -> None:
        """Raise StudyRefusedError with the listed faults if there are any faults."""
        if not self.count:
            return
        lines = [fault.line for fault in self.listed]
        if self.more:
            lines.append(Sentence(_("… and {number} more."), {"number": self.more}))
        if self.has_unchecked:
            lines.append(Sentence(UNCHECKED))
        raise StudyRefusedError(lines)

    @contextmanager
    def watch(self) -> Iterator["Watch"]:
        """Yield a Watch, whose `clean` is true if no fault has been added since the `with` block began."""
        yield Watch(self, self.count)


@dataclass(frozen=True)
class Watch:
    """Tells whether faults have been added since a `with` block began.

    `before` is the number of faults at the beginning of the block.
    """

    faults: Faults
    before: int

    @property
    def clean(self) -> bool:
        return self.faults.count == self.before
