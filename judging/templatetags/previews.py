"""The banner on the pages of a preview."""

from typing import Any

from django import template
from django.http import HttpRequest

from judging.core.selectors.readiness import faults_by_topic
from judging.models import Study, Topic
from judging.protocol.platforms import platform_of
from judging.worker.pages.previews import PAGES
from judging.worker.pages.refusals import refusal_of

register = template.Library()
_NO_CODE = "XXXX-XXXX-XXXX"
"""The completion code in the example link that a test visit shows."""


@register.inclusion_tag("worker/console/_preview.html", takes_context=True)
def preview_banner(context: template.Context) -> dict[str, Any]:
    """Show the banner: links to other pages, a choice of topics, and the result of a test visit."""
    request, preview = context["request"], context["study"]
    study = preview.preview_of
    faults = faults_by_topic(study)
    topics = list(Topic.objects.filter(study=preview).values_list("number", flat=True)[:2])
    return {
        "study": study,
        "pages": PAGES,
        "page": request.resolver_match.url_name,
        "topics": [topic for topic, messages in faults.items() if not messages],
        "chosen": topics[0] if len(topics) == 1 else "",
        "left_out": [message for messages in faults.values() for message in messages],
        "waits": preview.seconds_per_document == study.seconds_per_document,
        **_test_visit(request, preview),
    }


def _test_visit(request: HttpRequest, preview: Study) -> dict[str, Any]:
    """Return the template context of a test visit, or {} if the address of the page has no worker id."""
    platform = platform_of(preview)
    parameters = platform.parameters(preview)
    if not parameters.worker or parameters.worker not in request.GET:
        return {}
    arrival = platform.arrival(preview, request.GET)
    return {
        "test_visit": arrival,
        "parameters": parameters,
        "refusal": refusal_of(request, preview, arrival),
        "framed": bool(platform.framed_by),
        "completion_link": platform.completion_link(
            preview, code=_NO_CODE, submission_id=arrival.submission_id
        ),
    }
