"""The pictures of the documents of a study, for the pages of the console."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.pages.guard import console_page
from judging.core.pages.shown_documents import picture_response
from judging.core.selectors.pictures import find_picture
from judging.models import Study


@require_safe
@console_page
def picture(request: HttpRequest, slug: str, checksum: str) -> HttpResponseBase:
    """Return a picture of a study, or of a draft of changes to it, to people who may see the study."""
    study = get_object_or_404(Study.with_hidden, slug=slug)
    found = find_picture(study, checksum) if access.may_see(request.user, study.changes_to or study) else None
    if found is None:
        raise Http404
    return picture_response(found)
