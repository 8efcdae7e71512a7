"""Responses that stream a file while it is produced."""

from collections.abc import Generator, Iterator
from contextlib import closing

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

from judging.core.formats.texts import MEDIA_TYPES


def attachment(chunks: Generator[bytes, None, None], name: str, form: str) -> HttpResponseBase:
    """Return a response that streams the chunks of an export as a file with this name."""
    disposition = content_disposition_header(as_attachment=True, filename=name)
    return StreamingHttpResponse(
        _closing(chunks),
        content_type=MEDIA_TYPES[form],
        headers={"Content-Disposition": disposition},
    )


def _closing(chunks: Generator[bytes, None, None]) -> Iterator[bytes]:
    """Yield the chunks. Close the generator when the response ends, even if the download was cancelled."""
    with closing(chunks):
        yield from chunks
