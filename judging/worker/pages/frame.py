"""The page that a platform shows in a frame, with the link that opens the study in a tab.

Browsers do not send Plumbline's cookie from a frame on another site's page, so workers cannot judge in the
frame. The frame first shows the information. Then it shows a link that opens the study in a tab and contains
a signed token. At the end, it shows the form with which the worker submits the work to the platform.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import urlencode

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt

from judging.models import Study
from judging.protocol import codes
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import Arrival
from judging.worker.pages.progress import system_random
from judging.worker.pages.refusals import ID_FAULTS, NOT_THE_PLATFORM, refuse_link
from judging.worker.selectors.frames import framed_visit
from judging.worker.selectors.offer import range_of
from judging.worker.selectors.signed_links import Flaw

ENTRY: Final = "enter"
"""The parameter of a link from the frame. Its value contains ids and a token, and is signed."""
_VALID: Final = timedelta(hours=24)


@dataclass(frozen=True)
class FrameEntry:
    """The ids in a link from the frame, and the link's token, which can be used once."""

    arrival: Arrival
    token: str


def is_framed(study: Study, query: Mapping[str, str]) -> bool:
    """Return whether the platform opens this address in its frame."""
    platform = platform_of(study)
    return bool(platform.framed_by) and ENTRY not in query and platform.parameters(study).visit in query


def read_entry(study: Study, query: Mapping[str, str]) -> FrameEntry | Flaw | None:
    """Return what a link from the frame contains, or what is wrong with it. Return None for other links."""
    if not platform_of(study).framed_by or ENTRY not in query:
        return None
    try:
        *ids, token = signing.loads(query[ENTRY], salt=_salt(study), max_age=_VALID)
    except signing.SignatureExpired:
        return Flaw.EXPIRED
    except (signing.BadSignature, ValueError):
        return Flaw.CHANGED
    return FrameEntry(Arrival(*ids), token)


def _link_to_tab(study: Study, arrival: Arrival) -> str:
    ids = [arrival.platform_id, arrival.submission_id, arrival.study_id]
    token = signing.dumps([*ids, codes.token(system_random)], salt=_salt(study), compress=True)
    return f"{reverse('worker:information', args=[study.slug])}?{urlencode({ENTRY: token})}"


def _salt(study: Study) -> str:
    return f"plumbline.frame.{study.pk}"


@xframe_options_exempt
def frame(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the preview, the link that opens the tab, or the form that submits the work. Store nothing."""
    platform = platform_of(study)
    response = _page(request, study)
    # django-csp and Django's clickjacking middleware read these attributes.
    origins = {"frame-ancestors": platform.framed_by, "form-action": platform.submits_to}
    response._csp_replace = origins  # type: ignore[attr-defined]
    return response


def _page(request: HttpRequest, study: Study) -> HttpResponse:
    context: dict[str, object] = {"study": study, "offer": range_of(study), "state": "preview"}
    platform = platform_of(study)
    address = platform.submit_address(request.GET)
    if address is None:
        return refuse_link(request, study, NOT_THE_PLATFORM)
    if not platform.is_preview(request.GET):
        arrival = platform.arrival(study, request.GET)
        if fault := platform.id_fault(arrival):
            return refuse_link(request, study, ID_FAULTS[fault])
        visit = framed_visit(study, arrival)
        completed = visit.completed if visit else []
        state = "accepted" if visit is None else "begun"
        if completed:
            state = "completed"
        elif visit and visit.is_over:
            state = "over"
        context |= {
            "state": state,
            "completed": completed,
            "is_over": visit is not None and visit.is_over,
            "link": _link_to_tab(study, arrival),
            "submit_to": address,
            "visit_parameter": platform.parameters(study).visit,
            "submission_id": arrival.submission_id,
            "codes": ",".join(unit.completion_code or "" for unit in completed),
        }
    return render(request, "worker/frame.html", context)
