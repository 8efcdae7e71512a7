"""How much may be sent to the site at once, and by whom."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, SkipFile, StopUpload
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render

from judging.core import access
from judging.core.intake.upload_limit import most_bytes

_MARK: Final = "takes_files"
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def takes_files(view: View) -> View:
    """Mark a page that has a form for files; no other address reads a file or a large body."""
    setattr(view, _MARK, True)
    return view


class BodyLimitMiddleware:
    """Refuses a large body before any of it is read, unless its sender may upload files to that page.

    It stands before everything that reads forms. Elsewhere the files of a form are skipped as they come in:
    nothing that a stranger sends is written to the disk.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], *_: object
    ) -> HttpResponse | None:
        """Answer in the page's stead if the body is too large."""
        is_large = _announced(request) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if not is_large and request.content_type != "multipart/form-data":
            return None
        if getattr(view, _MARK, False) and access.may_use_console(request.user):
            return None
        if is_large:
            may_log_in = hasattr(view, _MARK) and not request.user.is_authenticated
            return render(request, "413.html", {"may_log_in": may_log_in}, status=413)
        request.upload_handlers = [_NoFiles(request)]
        return None


def _announced(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isdecimal() else 0


class _NoFiles(FileUploadHandler):
    """Skips every file of a form."""

    def new_file(self, *arguments: object, **named: object) -> None:
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Keep nothing."""

    def file_complete(self, file_size: int) -> None:
        """Return nothing: there is no file."""


class UploadLimit(FileUploadHandler):
    """Stops a request whose files are larger than the site takes before any of them is written.

    The page asks `was_too_large`; what else the form held until then is there as usual.
    """

    def handle_raw_input(self, input_data: Any, meta: Any, content_length: int, *more: Any) -> None:
        """See how much is announced."""
        self._announced = content_length

    def new_file(self, *arguments: object, **named: object) -> None:
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
