"""From a path to lines of text: compression, byte-order marks, encodings and absent files, in one place."""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Final

from evaluation.files.text import HEAD, UTF_16, is_utf_16
from judging.intake.faults import Faults, Where, shown

_MARK = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_COMPRESS = b"\x1f\x9d"
_BROKEN = (EOFError, zlib.error, gzip.BadGzipFile)
_ASCII = "".join(map(chr, range(128)))
LONGEST_LINE: Final = 16 << 20
"""Bytes: far more than the longest document has, and little enough to be held in memory."""
LONGEST_TEXT: Final = 64 << 20
"""Characters of a file that is read as a whole."""
MOST_RATIO: Final = 50
UNPACKED_FREELY: Final = 64 << 20
"""Texts pack to a tenth or so. What grows more than 50-fold, beyond these bytes, is no collection."""

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
        number = read = 0
        try:
            with self.path.open("rb") as raw:
                file = _unpacked(raw)
                while line := file.readline(LONGEST_LINE + 1):
                    number, read = number + 1, read + len(line)
                    if len(line) > LONGEST_LINE:
                        what = f"the line is longer than {LONGEST_LINE >> 20} MB; is this the file meant?"
                        self.fault(number, "", what)
                        return
                    if read > UNPACKED_FREELY and file is not raw and read > MOST_RATIO * raw.tell():
                        what = f"the file grows more than {MOST_RATIO}-fold when unpacked; pack it anew"
                        self.fault(number, "", what)
                        return
                    if number == 1 and (line := self._begun(line)) is None:
                        return
                    try:
                        text = line.decode(self.encoding)
                    except UnicodeDecodeError:
                        self.fault(number, "", self._not_in_encoding())
                        return
                    yield number, text.rstrip("\r\n")
        except _BROKEN:
            self.fault(number + 1, "", "the compressed file is broken or cut short; copy it again")
        except FileNotFoundError:
            self.refuse(f"there is no file {self.path}; mend the path or put the file there")
        except OSError as error:
            self.refuse(f"{self.path} cannot be read: {error.strerror or error}")

    def _begun(self, line: bytes) -> bytes | None:
        """The first line without a byte-order mark; None and a fault where it shows another kind of file."""
        if line.startswith(_COMPRESS):
            self.fault(1, "", "is packed by compress, not by gzip; unpack it first: gzip -d does")
            return None
        if is_utf_16(line[:HEAD]):
            self.fault(1, "", UTF_16)
            return None
        if line.startswith(_MARK) and not self.is_utf_8:
            self.fault(1, "", f"begins with the mark of UTF-8 and is not {self.encoding}; leave encoding out")
            return None
        return line.removeprefix(_MARK)

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


def _unpacked(raw: BufferedReader) -> gzip.GzipFile | BufferedReader:
    return gzip.GzipFile(fileobj=raw) if raw.peek(2).startswith(_GZIP) else raw
