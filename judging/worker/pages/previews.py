"""Start and end previews of the pages that workers see in a study."""

from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.services.deleting import end_previews
from judging.models import Study
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival
from judging.protocol.steps import Step
from judging.worker.pages.identity import remember
from judging.worker.pages.progress import system_random, to_step
from judging.worker.services.previews import begin_preview, carry_to

MADE_UP: Final = Arrival(platform_id="TEST123", submission_id="VISIT1", study_id="STUDY1")
"""The default ids of a preview's worker. A platform would send such ids."""
PAGES: Final = {
    "information": _("Information"),
    Step.INSTRUCTIONS.value: _("Instructions"),
    Step.PRACTICE.value: _("Practice"),
    Step.TASK.value: _("Task"),
    Step.TOPIC.value: _("Topic"),
    Step.JUDGE.value: _("Documents"),
    Step.UNITS.value: _("After a set"),
}
"""The pages at which a preview can start: a dict from the name of a page to its label."""


@require_POST
@console_page
def preview_study(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Start a preview and redirect to one of its pages.

    If `action` is "end", end the person's preview instead, and redirect to the set-up.
    """
    study = find_study(request, slug)
    if request.POST.get("action") == "end":
        end_previews(Study.with_hidden.filter(preview_of=study, previewer=request.user.pk))
        return redirect("console:set_up", slug=slug)
    if study.is_for_analysis:
        return refuse(request, _("A study for analysis has no pages for workers, so there is no preview."))
    assert request.user.is_authenticated  # console_page requires it
    moment = now()
    preview = begin_preview(
        study=study,
        person=request.user,
        topic=request.POST.get("topic", ""),
        waits=request.POST.get("waits", "yes") == "yes",
        now=moment,
    )
    page = request.POST.get("page", "")
    if page not in set(Step) & set(PAGES):
        return redirect(_way_in(request, preview))
    sends_ids = bool(platform_of(preview).parameters(preview).worker)
    arrival = MADE_UP if sends_ids else Arrival()
    worker = carry_to(preview=preview, step=Step(page), arrival=arrival, now=moment, rng=system_random)
    return remember(request, to_step(worker), worker)


def _way_in(request: HttpRequest, preview: Study) -> str:
    """Return the address of the information page for a test visit.

    The parameters of the address hold ids, as in the links of a platform.
    """
    address = reverse("worker:information", args=[preview.slug])
    parameters = platform_of(preview).parameters(preview)
    ids = {
        parameters.worker: request.POST.get("worker_id", MADE_UP.platform_id),
        parameters.visit: request.POST.get("visit_id", MADE_UP.submission_id),
        parameters.study: MADE_UP.study_id,
    }
    query = urlencode({name: value for name, value in ids.items() if name})
    return f"{address}?{query}" if query else address
