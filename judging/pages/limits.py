"""How much may be sent to the site at once."""

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest, QueryDict

from judging.intake.uploads import most_bytes


class UploadLimit(FileUploadHandler):
    """Stops a request whose files are larger than the site takes before any of them is written.

    The page asks `was_too_large`; what else the form held until then is there as usual.
    """

    def handle_raw_input(self, input_data: Any, meta: Any, content_length: int, *more: Any) -> None:
        """See how much is announced."""
        self._announced = content_length

    def new_file(self, *arguments: Any, **named: Any) -> None:
        """Refuse the first file where all is too much."""
        if self._announced > most_bytes() and self.request is not None:
            self.request.too_large = True  # type: ignore[attr-defined]  # for the page
            raise StopUpload(connection_reset=False)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Leave the file to the handlers that keep it."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Nothing: another handler has it."""


def was_too_large(request: HttpRequest) -> bool:
    """Whether the files of a request were refused for their size."""
    fields: QueryDict = request.POST
    return bool(fields is not None and getattr(request, "too_large", False))
