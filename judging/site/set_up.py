"""The “Set-up” page of a study: buttons to change, copy, try out and preview it, and the workers' link."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study
from judging.core.selectors.units import study_takes_work
from judging.models import Setup
from judging.protocol.platforms import platform_of
from judging.protocol.states import StudyState


@require_safe
@console_page
def set_up(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show what can be done with the set-up. Managers of a draft are redirected to its steps."""
    study = find_study(request, slug)
    manages = access.may_manage(request.user, study)
    if manages and study.state == StudyState.DRAFT and Setup.objects.filter(study=study).exists():
        return redirect("console:setup_overview", slug=slug)
    context = {
        "study": study,
        "manages": manages,
        "takes_work": study_takes_work(study, now=now()),
        "parameters": platform_of(study).parameters(study),
        "way_in": request.build_absolute_uri(f"/s/{study.slug}/"),
    }
    return render(request, "site/set_up.html", context)
