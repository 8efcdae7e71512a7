"""The markup in which documents are written, and the types of their pictures."""

from enum import StrEnum
from typing import Final


class Markup(StrEnum):
    """The markup of a document or of a source."""

    TEXT = "text"
    """Plain text: every character is shown as it is, and the layout says what happens to line breaks."""
    HTML = "html"
    MARKDOWN = "markdown"


class PictureType(StrEnum):
    """The media types of pictures. Each is recognised by the first bytes of a file."""

    PNG = "image/png"
    JPEG = "image/jpeg"
    GIF = "image/gif"
    WEBP = "image/webp"


LONGEST_PICTURE_NAME: Final = 200


HEAD: Final = 16
"""The number of bytes that are enough to tell the type of a picture."""


def picture_type(content: bytes) -> PictureType | None:
    """Return the type of a picture by its first bytes, whatever its name is, or None if it is of no type."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return PictureType.PNG
    if content.startswith(b"\xff\xd8\xff"):
        return PictureType.JPEG
    if content.startswith((b"GIF87a", b"GIF89a")):
        return PictureType.GIF
    is_webp = content.startswith(b"RIFF") and content[8:12] == b"WEBP"
    return PictureType.WEBP if is_webp else None
