"""The answer that is a file: streamed while it is made."""

from collections.abc import Generator, Iterator
from contextlib import closing

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

from judging.core.formats.texts import MEDIA_TYPES


def attachment(chunks: Generator[bytes, None, None], name: str, form: str) -> HttpResponseBase:
    """Bytes of an export, streamed into a file of that name."""
    disposition = content_disposition_header(as_attachment=True, filename=name)
    return StreamingHttpResponse(
        _closing(chunks),
        content_type=MEDIA_TYPES[form],
        headers={"Content-Disposition": disposition},
    )


def _closing(chunks: Generator[bytes, None, None]) -> Iterator[bytes]:
    """A server closes a response whose reader has gone away, and with it what the bytes are read from."""
    with closing(chunks):
        yield from chunks
