"""The list of studies, each with how far it has come."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging import access
from judging.pages.console.guard import console_page
from judging.selectors.progress import Progress, study_progress


@require_safe
@console_page
def studies(request: HttpRequest) -> HttpResponseBase:
    found = list(access.visible_studies(request.user))
    progress = study_progress(found)
    rows = [(study, progress.get(study.pk, Progress())) for study in found]
    return render(request, "console/studies.html", {"studies": rows})
