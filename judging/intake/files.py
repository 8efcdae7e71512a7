"""From a path to lines of text: compression, byte-order marks, encodings and absent files, in one place."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from judging.intake.faults import Faults, Where

_MARK = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_BROKEN = (EOFError, zlib.error, gzip.BadGzipFile)


class SourceFile:
    """A file to read: its path as the user would write it, and where in the study file it is named."""

    def __init__(self, path: Path, named_at: Where, field: str, faults: Faults) -> None:
        self.path = path
        self.named_at = named_at
        self.field = field
        self.faults = faults

    def at(self, line: int) -> Where:
        return Where(str(self.path), line)

    def fault(self, line: int, field: str, what: str) -> None:
        self.faults.add(self.at(line), field, what)

    def refuse(self, what: str) -> None:
        """A fault of the file as a whole, told where the study file names it."""
        self.faults.add(self.named_at, self.field, what)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Line numbers (from 1) and lines without their ends, streamed; plain or gzip by content.

        A fault ends the stream: one line that is not UTF-8 says that the whole file is in another encoding.
        """
        number = 0
        try:
            with self.path.open("rb") as raw:
                for number, line in enumerate(_unpacked(raw), start=1):
                    try:
                        yield (
                            number,
                            (line.removeprefix(_MARK) if number == 1 else line).decode().rstrip("\r\n"),
                        )
                    except UnicodeDecodeError:
                        self.fault(number, "", "is not UTF-8 text; convert the file to UTF-8")
                        return
        except _BROKEN:
            self.fault(number + 1, "", "the compressed file is broken or cut short; copy it again")
        except FileNotFoundError:
            self.refuse(f"there is no file {self.path}; mend the path or put the file there")
        except OSError as error:
            self.refuse(f"{self.path} cannot be read: {error.strerror or error}")

    def text(self) -> str:
        """The whole text, line ends as `\\n`; cut short where there was a fault."""
        return "\n".join(line for _, line in self.lines())


def _unpacked(raw: BinaryIO) -> BinaryIO:
    packed = raw.peek(2).startswith(_GZIP)  # type: ignore[attr-defined]
    return cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw
