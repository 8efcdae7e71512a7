"""The text files that a study file refers to, read line by line."""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from evaluation.errors import InputError
from evaluation.parsing.detect import NO_TEXT, head_of, kind_of, other_kind
from evaluation.parsing.packing import unpacks_beyond
from evaluation.parsing.text import TextFaultError, text_lines
from judging.core.faults import Faults, Where, shown
from judging.core.upload_limit import most_bytes
from judging.core.words import as_sentence
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.datasets import is_dataset

_ASCII = "".join(map(chr, range(128)))
LONGEST_TEXT: Final = 64 << 20
"""The maximum number of characters in a file that is read into memory at once."""
UTF_8 = "utf-8"
EMPTY: Final = "empty"
WORKBOOK: Final = "xlsx"
"""Two kinds of file: see `SourceFile.kind`."""


def encoding_fault(name: str) -> Sentence | None:
    """Return why Plumbline cannot read files in an encoding, or None.

    Plumbline can find line endings only in encodings that extend ASCII. UTF-16 and UTF-32 do not.
    """
    try:
        extends_ascii = _ASCII.encode(name) == _ASCII.encode()
    except (LookupError, UnicodeError, ValueError):
        unknown = _("{encoding} is not a known encoding. Use one such as utf-8, latin-1 or cp1252.")
        return Sentence(unknown, {"encoding": shown(name)})
    if extends_ascii:
        return None
    unreadable = _("Files in {encoding} cannot be read line by line. Convert the file to UTF-8.")
    return Sentence(unreadable, {"encoding": shown(name)})


class SourceFile:
    """A file to read. `named_at` is the place in the study file that gives the file's path.

    `encoding` is None for files that must be in UTF-8, such as the study file itself.
    """

    def __init__(
        self, path: Path, named_at: Where, field: str, faults: Faults, encoding: str | None = None
    ) -> None:
        self.path = path
        self.named_at = named_at
        self.field = field
        self.faults = faults
        self.encoding = encoding or UTF_8
        self._may_choose = encoding is not None

    @property
    def is_dataset(self) -> bool:
        """Return whether the path names a collection of `ir_datasets`, such as `irds:beir/scifact/test`."""
        return is_dataset(str(self.path))

    @property
    def is_utf_8(self) -> bool:
        return codecs.lookup(self.encoding).name == UTF_8

    def sibling(self, path: Path, faults: Faults | None = None) -> "SourceFile":
        """Return the file at another path, with this file's encoding and place in the study file."""
        encoding = self.encoding if self._may_choose else None
        return SourceFile(path, self.named_at, self.field, faults or self.faults, encoding)

    def in_encoding(self, encoding: str) -> "SourceFile":
        """Return the same file, read in another encoding. Return this file if the encoding cannot be read."""
        if encoding_fault(encoding):
            return self
        return SourceFile(self.path, self.named_at, self.field, self.faults, encoding)

    def at(self, line: int) -> Where:
        return Where(str(self.path), line)

    def fault(
        self, line: int, field: str, text: Sentence | str, /, *, like: str = "", **values: object
    ) -> None:
        """Add a fault for a line of the file."""
        self.faults.add(self.at(line), field, as_sentence(text, values), like=like)

    def notice(self, text: str, /, **values: object) -> None:
        """Add a notice about what was read."""
        self.faults.notices.append(as_sentence(text, values))

    def refuse(self, text: Sentence | str, /, **values: object) -> None:
        """Add a fault for the whole file, at the place in the study file that gives the file's path."""
        self.faults.add(self.named_at, self.field, as_sentence(text, values))

    @property
    def kind(self) -> str:
        """Return the kind of the file by its first bytes: see `kind_of`. Return "" if there is no file."""
        try:
            with self.path.open("rb") as raw:
                return kind_of(head_of(raw))
        except OSError:
            return ""

    def is_text_of(self, *kinds: str) -> bool:
        """Return whether a reader of these kinds of text can read the file. Add a fault if not.

        Text of no known form is left to the reader.
        """
        try:
            with self.path.open("rb") as raw:
                problem = other_kind(head_of(raw), *kinds)
        except OSError:
            return True  # reading the lines tells why
        if problem:
            self.fault(1, "", problem)
        return not problem

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line's number, counted from 1, and the line without its line break.

        The file can be compressed. Add a fault and stop if the file cannot be read, or at the first line that
        is not in the file's encoding. A file without readable text, such as a PDF, is a fault too.
        """
        try:
            with self.path.open("rb") as raw:
                if problem := NO_TEXT.get(kind_of(head_of(raw))):
                    self.fault(1, "", problem)
                    return
                for number, line in text_lines(raw, encoding=UTF_8 if self.is_utf_8 else self.encoding):
                    yield number, line.rstrip("\r\n")
        except TextFaultError as fault:
            self.fault(fault.line, "", self._not_in_encoding() if fault.undecodable else fault.what)
        except FileNotFoundError:
            missing = _("The file {path} does not exist. Correct the path, or add the file.")
            self.refuse(missing, path=self.path)
        except OSError as error:
            unreadable = _("The file {path} cannot be read: {problem}. Correct the path or the permissions.")
            self.refuse(unreadable, path=self.path, problem=str(error.strerror or error))

    def _not_in_encoding(self) -> Sentence:
        if self.is_utf_8 and self._may_choose:
            return Sentence(
                _(
                    "The file is not in UTF-8. Convert it to UTF-8, or set its encoding, for example"
                    ' encoding = "latin-1".'
                )
            )
        if self.is_utf_8:
            return Sentence(_("The file is not in UTF-8. Convert it to UTF-8."))
        return Sentence(
            _(
                "The file is not in {encoding}. Write its real encoding in {file}, or convert the file to "
                'UTF-8 and set encoding = "utf-8".'
            ),
            {"encoding": self.encoding, "file": self.named_at.file},
        )

    @contextmanager
    def in_utf_8(self) -> Iterator[str]:
        """Yield the path of the file, or of a copy in UTF-8 if the file has another encoding.

        An `InputError` that is raised in the `with` block names the file itself, not the copy. Whoever needs
        a path reads the whole file into memory, so raise `InputError` for a compressed file that would be
        over the limit on uploads if it were not compressed.
        """
        with self.path.open("rb") as raw:
            is_too_large = unpacks_beyond(raw, most_bytes())
        if is_too_large:
            raise InputError(
                "compressed-file-over-limit",
                "the file becomes larger than {megabytes} MB when unpacked, the limit of this site; leave "
                "out what the study does not need, or ask an administrator to raise PLUMBLINE_UPLOAD_MB",
                f"{self.path}:1",
                megabytes=most_bytes() >> 20,
            )
        if self.is_utf_8:
            yield str(self.path)
            return
        with NamedTemporaryFile("w", encoding=UTF_8, suffix=self.path.suffix) as copy:
            copy.writelines(f"{line}\n" for _, line in self.lines())
            copy.flush()
            try:
                yield copy.name
            except InputError as error:
                raise error.at(error.where.replace(copy.name, str(self.path), 1)) from None

    def text(self) -> str:
        """Return the text with Unix line endings.

        At the first fault, stop reading and return the lines that were read.
        """
        lines: list[str] = []
        length = 0
        for number, line in self.lines():
            lines.append(line)
            length += len(line)
            if length > LONGEST_TEXT:
                too_long = _("The file is larger than {number} MB. Shorten it.")
                self.fault(number, "", too_long, number=LONGEST_TEXT >> 20)
                break
        return "\n".join(lines)
