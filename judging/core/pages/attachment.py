"""Responses that stream a file while it is computed."""

from collections.abc import Generator

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from judging.core.formats.texts import MEDIA_TYPES
from judging.core.pages.turns import Turn


def attachment(chunks: Generator[bytes, None, None], name: str, form: str) -> StreamingHttpResponse:
    """Return a response that streams the chunks of an export as a file with this name.

    Raise NotYourTurnError if another download is being computed.
    """
    disposition = content_disposition_header(as_attachment=True, filename=name)
    return StreamingHttpResponse(
        Turn(chunks),
        content_type=MEDIA_TYPES[form],
        headers={"Content-Disposition": disposition},
    )
