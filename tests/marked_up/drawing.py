"""Pictures that tests draw themselves, pixel by pixel."""

import struct
import zlib


def png(width: int, height: int, rows: list[bytes]) -> bytes:
    """The bytes of a PNG file; each row has three bytes for each pixel."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    parts = [(b"IHDR", header), (b"IDAT", pixels), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, content) for kind, content in parts)


def bulges(width: int = 320, height: int = 160) -> bytes:
    """The Earth between two bulges of water."""

    def pixel(x: int, y: int) -> bytes:
        across, down = (x - width / 2) / (width / 2), (y - height / 2) / (height / 2)
        if (across * 2) ** 2 + down**2 < 0.4:
            return b"\x6b\x8e\x4e"
        return b"\x4a\x90\xc2" if across**2 * 1.3 + down**2 < 0.75 else b"\xfb\xfa\xf7"

    rows = [b"".join(pixel(x, y) for x in range(width)) for y in range(height)]
    return png(width, height, rows)


def square(shade: int) -> bytes:
    """A picture of one colour. Each shade gives other bytes."""
    return png(2, 2, [bytes([shade] * 6)] * 2)
