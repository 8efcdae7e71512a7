"""Limit the size of requests, and decide who may upload before anything reads what they send."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, SkipFile, StopUpload
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render

from judging.core.upload_limit import most_bytes

_MARK: Final = "takes_files"
ASKS: Final = "X-May-Upload"
"""The proxy asks with this header whether the sender may upload, before it accepts the upload itself."""
Refusal = Callable[..., HttpResponseBase | None]
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def takes_files(refusal: Refusal) -> Callable[[View], View]:
    """Mark a view that accepts uploads. All other views ignore files and refuse large bodies.

    `refusal` gets the same arguments as the view. It returns None for visitors who may send forms to this
    view, and the answer to all other visitors. It must not read the form.
    """

    def mark(view: View) -> View:
        setattr(view, _MARK, refusal)
        return view

    return mark


class BodyLimitMiddleware:
    """Refuse large requests before reading their body, unless the sender may upload files to the page.

    If the sender may not upload files, pages for uploads refuse every form without reading it: a body may
    arrive slowly, and a process that waits for it answers nobody else. All other
    pages skip the files in small forms, so that strangers cannot write to the disk. This middleware must come
    before every middleware that reads forms.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponseBase],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> HttpResponseBase | None:
        """Return the answer if the body must not be read, else None."""
        refusal: Refusal | None = getattr(view, _MARK, None)
        is_large = _content_length(request) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if refusal and ASKS in request.headers:
            return HttpResponse(status=403 if _refuse(refusal, request, *args, **kwargs) else 204)
        if is_large and not (refusal and request.user.is_authenticated):
            return render(request, "413.html", {"may_log_in": bool(refusal)}, status=413)
        if refusal:
            return _refuse(refusal, request, *args, **kwargs) if request.method == "POST" else None
        if request.content_type == "multipart/form-data":
            request.upload_handlers = [_NoFiles(request)]
        return None


def _refuse(refusal: Refusal, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase | None:
    try:
        return refusal(request, *args, **kwargs)
    except Http404:
        return render(request, "404.html", status=404)  # Django's own view for this would read the form.


def _content_length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isdecimal() else 0


class _NoFiles(FileUploadHandler):
    """Skip every file of a form."""

    def new_file(self, *arguments: object, **named: object) -> None:
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Discard the data."""

    def file_complete(self, file_size: int) -> None:
        """Return None, because no file is stored."""


class UploadLimit(FileUploadHandler):
    """Stop an upload above the site's limit before any of it is written to the disk.

    Views call `was_too_large` to find out whether the upload was stopped. If so, the form has only the fields
    that came before the files.
    """

    def handle_raw_input(self, input_data: Any, meta: Any, content_length: int, *more: Any) -> None:
        """Remember the size of the request."""
        self._content_length = content_length

    def new_file(self, *arguments: object, **named: object) -> None:
        """Raise StopUpload if the request is too large."""
        if self._content_length > most_bytes() and self.request is not None:
            self.request.too_large = True  # type: ignore[attr-defined]  # for was_too_large
            raise StopUpload(connection_reset=False)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Return the data for the next handler, which stores the file."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Return None, because another handler stores the file."""


def was_too_large(request: HttpRequest) -> bool:
    """Return whether the files of a request were refused because of their size."""
    fields: QueryDict = request.POST
    return bool(fields is not None and getattr(request, "too_large", False))
