"""The frame of a study's pages: its name, state, progress, actions and navigation."""

from typing import Any

from django import template
from django.template import Context
from django.urls import reverse

from judging.core import access
from judging.core.selectors.arms import arms_of
from judging.models import Study
from judging.site.places import places_of
from judging.watching.pages.moves import moves_of
from judging.watching.selectors.progress import Progress, total, units_by_topic

register = template.Library()


@register.inclusion_tag("core/_frame.html", takes_context=True)
def study_frame(context: Context, study: Study, progress: Progress | None = None) -> dict[str, Any]:
    """Show the frame above a page of a study. This takes one query for the progress, and one for arms."""
    request = context["request"]
    current = request.resolver_match.url_name
    places = [
        {
            "label": place.label,
            "address": reverse(f"console:{place.pages[0].name}", args=[study.slug]),
            "is_current": place.holds(current),
            "pages": [
                {
                    "label": page.label,
                    "address": reverse(f"console:{page.name}", args=[study.slug]),
                    "is_current": page.holds(current),
                    "is_open": page.name == current,
                }
                for page in place.pages
            ],
        }
        for place in places_of(study)
    ]
    here: dict[str, Any] = next((place for place in places if place["is_current"]), {"pages": []})
    return {
        "study": study,
        "arms": arms_of(study) if study.has_arms else [],
        "progress": progress or total(list(units_by_topic(study).values())),
        "moves": moves_of(study) if access.may_manage(request.user, study) else [],
        "places": places,
        "pages": here["pages"] if len(here["pages"]) > 1 else [],
        "query": context["query"] if current == "search" else "",
    }


@register.inclusion_tag("core/_first.html", takes_context=True)
def first_step(context: Context, study: Study) -> dict[str, Any]:
    """Show the next thing that a researcher must do before workers can start."""
    return {"study": study, "manages": access.may_manage(context["request"].user, study)}
