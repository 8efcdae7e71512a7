"""Say from the first bytes of a file what kind of file it is, and how to make it a file that can be read."""

import os
import re
from typing import IO, Final

from ..errors import InputError
from .packing import packing_of, unpacked_head

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
COMPRESS_MAGIC: Final = b"\x1f\x9d"
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
HEAD: Final = 64 * 1024
"""The number of bytes to look at. They are unpacked first if the file is compressed."""
_MAGIC: Final = (
    (b"%PDF", "pdf"),
    (b"\x89PNG", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"II*\0", "image"),
    (b"MM\0*", "image"),
    (b"RIFF", "image"),
    (b"\xd0\xcf\x11\xe0", "xls"),
    (b"PAR1", "parquet"),
    (b"Rar!", "archive"),
    (b"7z\xbc\xaf", "archive"),
    (COMPRESS_MAGIC, "compress"),
    (b"x\x01", "packed"),
    (b"x\x9c", "packed"),
    (b"x\xda", "packed"),
    (b"SQLite format 3\0", "database"),
    (b"version https://git-lfs.github.com/", "pointer"),
    (b"/annex/objects/", "pointer"),
)
_IN_ZIP: Final = (
    (b"xl/", "xlsx"),
    (b"word/", "docx"),
    (b"ppt/", "docx"),
    (b"opendocument.spreadsheet", "ods"),
    (b"opendocument", "docx"),
)
_START: Final = 64
"""The number of bytes that are checked for UTF-16."""
_TAR: Final = (257, b"ustar")
NO_TEXT: Final = {
    "pdf": "The file is a PDF. Export its text, and use a text file.",
    "image": "The file is an image. Use a text file.",
    "xls": "The file is a document of an old version of Office. Save it as CSV in UTF-8.",
    "xlsx": "The file is an Excel workbook. Save the sheet as text or CSV in UTF-8.",
    "ods": "The file is an OpenDocument spreadsheet. Save the sheet as CSV in UTF-8.",
    "docx": "The file is a document of a word processor or of slides. Save it as plain text.",
    "parquet": "The file is a Parquet table. Save it as CSV or JSONL.",
    "zip": "The file is a zip. Unpack it, and use the files in it.",
    "archive": "The file is an archive. Unpack it, and use the files in it.",
    "packed": "The file is compressed in a way that cannot be read here, or twice. Unpack it first.",
    "compress": "The file is packed by the program compress. Unpack it first with gzip -d.",
    "utf-16": "The file is UTF-16 text. Save it as UTF-8, for instance with iconv -f UTF-16 -t UTF-8.",
    "database": "The file is a database. Export its tables as CSV.",
    "pointer": "The file is a pointer of Git LFS or git-annex. Run git lfs pull, and use the data.",
}
"""What each kind of file without readable text is, and what to do with it."""
OTHER_FORMS: Final = {
    "html": "The file is a web page. Download the file itself, not the page that shows it.",
    "json-array": "The file is a JSON array. Write one JSON object per line, for example with jq -c '.[]'.",
    "json": "The file is JSON over several lines. Write one JSON object per line, for example with jq -c .",
    "jsonl": "The file is JSONL. Choose the format jsonl, or convert the file.",
    "trec": "The file has tags, as TREC's documents and topics do. Choose the format trec, or another file.",
    "cranfield": "The file has Cranfield's format. Choose the format cranfield, or another file.",
}
"""What each kind of text is, for readers of another kind, and what to do with it."""
_TAGS: Final = re.compile(r"<(doc|top|topic|topics|inex_topic|query|queries)\b[^<>]*>", re.IGNORECASE)
_HTML: Final = re.compile(r"<(!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_JSON_VALUE: Final = re.compile(r"\[\s*(?:[\[{\"\]]|-?\d+(?:\.\d+)?\s*[,\]]|$)")
_DELIMITERS: Final = ("\t", ";", ",")
_WITH_OWN_ERRORS: Final = ("utf-16", "compress")
"""The kinds of files that the readers of text refuse themselves, at the line that shows the kind."""


def head_of(raw: IO[bytes]) -> bytes:
    """Return the first bytes of a seekable file, unpacked if they are compressed. Go back to its start."""
    head = raw.read(HEAD)
    raw.seek(0)
    return unpacked_head(head, HEAD)


def kind_of(head: bytes) -> str:
    """Return the kind of a file that begins with these bytes, or "" for text of no known form.

    The bytes must be unpacked: see `head_of`. The kinds are those of `NO_TEXT` and `OTHER_FORMS`, `empty`,
    and the tables `tsv` and `csv`.
    """
    if not head.strip():
        return "empty"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return next((kind for mark, kind in _IN_ZIP if mark in head), "zip")
    if head[_TAR[0] :].startswith(_TAR[1]):
        return "archive"
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if packing_of(head):
        return "packed"
    if is_utf_16(head[:_START]) and head[:_START].strip(b"\0"):
        return "utf-16"
    return _kind_of_text(head.removeprefix(BYTE_ORDER_MARK).decode("utf-8", errors="replace").lstrip())


def other_kind(head: bytes, *kinds: str) -> str:
    """Return what a file is and what to do with it, if it is not text of these kinds. Else return "".

    Text of no known form is left to the reader.
    """
    kind = kind_of(head)
    return NO_TEXT.get(kind) or ("" if kind in kinds else OTHER_FORMS.get(kind, ""))


def refuse_other_kinds(data: bytes, path: str | os.PathLike[str], *kinds: str) -> None:
    """Raise `InputError` if a file is not text of these kinds: see `other_kind`. `data` is unpacked."""
    if problem := other_kind(data[:HEAD], *kinds):
        raise InputError("file-of-another-kind", "{problem}", f"{path}:1", problem=problem)


def refuse_without_text(data: bytes, path: str | os.PathLike[str]) -> None:
    """Raise `InputError` if a file is of a kind without readable text, such as a PDF. `data` is unpacked."""
    if kind_of(data[:HEAD]) not in _WITH_OWN_ERRORS:
        refuse_other_kinds(data, path, *OTHER_FORMS)


def is_utf_16(head: bytes) -> bool:
    """Return whether a file that begins with these bytes looks like UTF-16.

    A UTF-16 file begins with a byte-order mark or has many zero bytes, one for each Latin letter.
    """
    return head.startswith(_UTF_16_MARKS) or head.count(0) * 3 > len(head)


def _kind_of_text(text: str) -> str:
    first, _break, rest = text.partition("\n")
    if text.startswith("["):
        return "json-array" if _JSON_VALUE.match(text) else ""
    if text.startswith("{"):
        is_one = rest.strip() and not first.rstrip().endswith("}") and not rest.lstrip().startswith("{")
        return "json" if is_one else "jsonl"
    if re.match(r"\.I\s", text):
        return "cranfield"
    if text.startswith("<"):
        if _HTML.match(text):
            return "html"
        return "trec" if _TAGS.search(text) else ""
    return {"\t": "tsv", ";": "csv", ",": "csv"}.get(delimiter_of(first), "")


def delimiter_of(line: str) -> str:
    """Return the first tab, semicolon or comma of a line that is outside quotes, or ""."""
    plain = re.sub(r'"[^"]*"?', "", line)
    places = {plain.index(character): character for character in _DELIMITERS if character in plain}
    return places[min(places)] if places else ""
