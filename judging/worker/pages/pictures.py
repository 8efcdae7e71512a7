"""The pictures of the documents that workers judge."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from judging.core.pages.shown_documents import picture_response
from judging.core.selectors.pictures import find_picture
from judging.worker.pages.identity import known_worker


@require_safe
def picture(request: HttpRequest, slug: str, checksum: str) -> HttpResponse:
    """Return a picture to a worker of the study. Raise Http404 for everybody else."""
    worker = known_worker(request, slug)
    found = find_picture(worker.study, checksum) if worker else None
    if found is None:
        raise Http404
    return picture_response(found)
