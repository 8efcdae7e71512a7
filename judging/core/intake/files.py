"""The text files that a study names, read line by line."""

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from evaluation.files.text import TextFaultError, text_lines
from judging.core.intake.faults import Faults, Where, as_sentence, shown
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

_ASCII = "".join(map(chr, range(128)))
LONGEST_TEXT: Final = 64 << 20
"""The most characters in a file that is read as a whole."""
UTF_8 = "utf-8"


def encoding_fault(name: str) -> Sentence | None:
    """Return why files in an encoding cannot be read, or None.

    Reading line by line needs an encoding that writes ASCII characters, such as line ends, as the same bytes
    as ASCII does. UTF-16 and UTF-32 do not.
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
    """A file to read. `path` is written as the user writes it; `named_at` is its place in the study file.

    `encoding` is None for files that must be UTF-8, such as the study file itself.
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
    def is_utf_8(self) -> bool:
        return codecs.lookup(self.encoding).name == UTF_8

    def sibling(self, path: Path, faults: Faults | None = None) -> "SourceFile":
        """Return another file that the same key of the study file names."""
        encoding = self.encoding if self._may_choose else None
        return SourceFile(path, self.named_at, self.field, faults or self.faults, encoding)

    def at(self, line: int) -> Where:
        return Where(str(self.path), line)

    def fault(
        self, line: int, field: str, text: Sentence | str, /, *, like: str = "", **values: object
    ) -> None:
        """Add a fault of a line."""
        self.faults.add(self.at(line), field, as_sentence(text, values), like=like)

    def refuse(self, text: Sentence | str, /, **values: object) -> None:
        """Add a fault of the whole file, at the place where the study file names it."""
        self.faults.add(self.named_at, self.field, as_sentence(text, values))

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield line numbers, from 1, and lines without their ends. The file can be plain text or gzip.

        Reading stops at the first fault: if one line is not in the encoding, the file has another encoding.
        """
        try:
            with self.path.open("rb") as raw:
                for number, line in text_lines(raw, encoding=UTF_8 if self.is_utf_8 else self.encoding):
                    yield number, line.rstrip("\r\n")
        except TextFaultError as fault:
            self.fault(fault.line, "", self._not_in_encoding() if fault.undecodable else fault.what)
        except FileNotFoundError:
            missing = _("There is no file {path}. Correct the path, or put the file there.")
            self.refuse(missing, path=self.path)
        except OSError as error:
            unreadable = _("The file {path} cannot be read: {problem}.")
            self.refuse(unreadable, path=self.path, problem=str(error.strerror or error))

    def _not_in_encoding(self) -> Sentence:
        if self.is_utf_8 and self._may_choose:
            return Sentence(
                _(
                    "The file is not in UTF-8. Convert it to UTF-8, or name its encoding, such as"
                    ' encoding = "latin-1".'
                )
            )
        if self.is_utf_8:
            return Sentence(_("The file is not in UTF-8. Convert it to UTF-8."))
        return Sentence(
            _("The file is not in {encoding}. Correct encoding in {file}, or convert the file to UTF-8."),
            {"encoding": self.encoding, "file": self.named_at.file},
        )

    def text(self) -> str:
        """Return the whole text with Unix line ends; only the text before the first fault."""
        lines: list[str] = []
        length = 0
        for number, line in self.lines():
            lines.append(line)
            length += len(line)
            if length > LONGEST_TEXT:
                too_long = _("The file is longer than {number} MB. Shorten it.")
                self.fault(number, "", too_long, number=LONGEST_TEXT >> 20)
                break
        return "\n".join(lines)
