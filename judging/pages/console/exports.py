"""Downloads: the exports of the command line, streamed, each from one state of the study."""

from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import islice

from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from judging import access
from judging.exports.catalogue import EXPORTS, file_name, snapshot_lines
from judging.exports.formats import MEDIA_TYPES
from judging.pages.console.guard import console_page, find_study, refuse
from judging.selectors.clock import now
from judging.services.exporting import record_export

LINES_AT_ONCE = 500


@require_safe
@console_page
def download(request: HttpRequest, slug: str, what: str, form: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if what not in EXPORTS or form not in EXPORTS[what].formats:
        raise Http404
    if not access.may_export(request.user, study, what):
        return refuse(request, "You may not take this data home.")
    with_excluded = what == "judgments" and "with_excluded" in request.GET
    if request.method == "GET":
        record_export(study=study, what=what, form=form, now=now(), actor=request.user)
    lines = snapshot_lines(study, what, form, with_excluded=with_excluded)
    return attachment(lines, file_name(study, what, form), form)


def attachment(lines: Generator[str, None, None], name: str, form: str) -> HttpResponseBase:
    """Lines of an export, streamed into a file of that name."""
    disposition = content_disposition_header(as_attachment=True, filename=name)
    return StreamingHttpResponse(
        _chunks(lines),
        content_type=f"{MEDIA_TYPES[form]}; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )


def _chunks(lines: Generator[str, None, None]) -> Iterator[str]:
    """Several lines at once: a line a write would keep the server busy with writing.

    A server closes a response whose reader has gone away, and with it what the lines are read from.
    """
    with closing(lines):
        while chunk := "".join(islice(lines, LINES_AT_ONCE)):
            yield chunk
