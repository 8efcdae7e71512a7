"""The list of studies, each with how far it has come."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging import access
from judging.pages.console.guard import console_page
from judging.pages.console.paging import page_of
from judging.selectors.progress import Progress, study_progress

STUDIES_PER_PAGE = 20


@require_safe
@console_page
def studies(request: HttpRequest) -> HttpResponseBase:
    visible = access.visible_studies(request.user)
    page = page_of(request, visible.count(), per_page=STUDIES_PER_PAGE)
    found = list(visible[page.places.start : page.places.stop])
    progress = study_progress(found)
    rows = [(study, progress.get(study.pk, Progress())) for study in found]
    return render(request, "console/studies.html", {"studies": rows, "page": page}, status=page.status)
