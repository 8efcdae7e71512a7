"""Files that a study names: lines of text, and their faults where the study file names them."""

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from evaluation.files.text import TextFaultError, text_lines
from judging.core.intake.faults import Faults, Where, shown

_ASCII = "".join(map(chr, range(128)))
LONGEST_TEXT: Final = 64 << 20
"""Characters of a file that is read as a whole."""
UTF_8 = "utf-8"


def encoding_fault(name: str) -> str | None:
    """What keeps files of an encoding from being read, or None.

    Files are read line by line, which needs ASCII's characters, and the line's end before all, to be the
    same bytes as in ASCII. UTF-16 and UTF-32 write them otherwise.
    """
    try:
        same = _ASCII.encode(name) == _ASCII.encode()
    except (LookupError, UnicodeError, ValueError):
        return f"{shown(name)} is no encoding known here; write one such as utf-8, latin-1 or cp1252"
    return None if same else f"{shown(name)} cannot be read line by line; convert the file to UTF-8"


class SourceFile:
    """A file to read: its path as the user would write it, and where in the study file it is named.

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

    def beside(self, path: Path, faults: Faults | None = None) -> "SourceFile":
        """Another path that the same key of the study file stands for."""
        encoding = self.encoding if self._may_choose else None
        return SourceFile(path, self.named_at, self.field, faults or self.faults, encoding)

    def at(self, line: int) -> Where:
        return Where(str(self.path), line)

    def fault(self, line: int, field: str, what: str, *, like: str = "") -> None:
        self.faults.add(self.at(line), field, what, like=like)

    def refuse(self, what: str) -> None:
        """A fault of the file as a whole, told where the study file names it."""
        self.faults.add(self.named_at, self.field, what)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Line numbers (from 1) and lines without their ends, streamed; plain or gzip by content.

        A fault ends the stream: one line that is not in the encoding says that the whole file is in another.
        """
        try:
            with self.path.open("rb") as raw:
                for number, line in text_lines(raw, encoding=UTF_8 if self.is_utf_8 else self.encoding):
                    yield number, line.rstrip("\r\n")
        except TextFaultError as fault:
            self.fault(fault.line, "", self._not_in_encoding() if fault.undecodable else fault.what)
        except FileNotFoundError:
            self.refuse(f"there is no file {self.path}; mend the path or put the file there")
        except OSError as error:
            self.refuse(f"{self.path} cannot be read: {error.strerror or error}")

    def _not_in_encoding(self) -> str:
        if self.is_utf_8:
            how = ', or say how it is written: encoding = "latin-1"' if self._may_choose else ""
            return f"is not UTF-8 text; convert the file to UTF-8{how}"
        return f"is not {self.encoding} text; mend encoding in {self.named_at.file}, or convert it to UTF-8"

    def text(self) -> str:
        """The whole text, line ends as `\\n`; cut short where there was a fault."""
        kept: list[str] = []
        length = 0
        for number, line in self.lines():
            kept.append(line)
            length += len(line)
            if length > LONGEST_TEXT:
                self.fault(number, "", f"the file is longer than {LONGEST_TEXT >> 20} MB; shorten it")
                break
        return "\n".join(kept)
