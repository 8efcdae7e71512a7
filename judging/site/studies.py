"""The page that lists all studies with their progress. The arms of a study stand with its front."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from django.db.models import Q
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.guard import console_page
from judging.core.pages.paging import page_of
from judging.core.pages.sorting import sorting_of
from judging.core.selectors.ordering import Sortable, by_columns
from judging.limits import STUDIES_PER_PAGE
from judging.models import Study
from judging.models.fields import choices
from judging.protocol.states import StudyState
from judging.protocol.words import gettext_noop
from judging.watching.selectors.progress import Progress, study_progress, total

SORTS: Final = {
    "name": gettext_noop("Name"),
    "title": gettext_noop("Title"),
    "state": gettext_noop("State"),
    "-created": gettext_noop("Created"),
}
STUDIES_BY: Final[dict[str, Sortable]] = {
    "name": "slug",
    "title": Lower("title"),
    "state": "state",
    "created": "created_at",
}
"""Maps each sort key to the column or expression by which the database sorts studies.

Studies with equal values are sorted by slug.
"""


class StudyForm(FilterForm):
    """Filters the studies that the visitor can see."""

    find = TextField(gettext_lazy("Title or name"))
    state = ChosenField(gettext_lazy("State"), choices(StudyState))
    narrows = {"find": lambda text: Q(title__icontains=text) | Q(slug__icontains=text), "state": "state"}


@require_safe
@console_page
def studies(request: HttpRequest) -> HttpResponseBase:
    form = StudyForm(request)
    if not form.is_valid():
        return render(request, "site/studies.html", {"form": form, "shows_form": True}, status=form.status)
    sorting = sorting_of(request, *SORTS, default="name")
    order = by_columns([STUDIES_BY[sorting.key]], descending=sorting.descending)
    fronts = access.visible_studies(request.user).filter(front=None)
    matching = form.filter(fronts).order_by(*order, "slug")
    page = page_of(request, matching.count(), per_page=STUDIES_PER_PAGE)
    listed = list(matching[page.places.start : page.places.stop])
    arms = _further_arms(listed)
    progress = study_progress([*listed, *(arm for of_study in arms.values() for arm in of_study)])
    context = {
        "studies": [
            (
                study,
                total([progress.get(arm.pk, Progress()) for arm in (study, *arms[study.pk])]),
                arms[study.pk],
            )
            for study in listed
        ],
        "page": page,
        "form": form,
        "shows_form": form.is_worth(page.paginator.count),
        "may_set_up": access.may_set_up(request.user),
        "sorting": sorting,
        "sorts": sorting.headings({name: gettext(label) for name, label in SORTS.items()}),
    }
    return render(request, "site/studies.html", context, status=max(page.status, sorting.status))


def _progress(study: Study, arms: Sequence[Study], progress: Mapping[int, Progress]) -> Progress:
    return total([progress.get(each.pk, Progress()) for each in (study, *arms)])


def _further_arms(fronts: Sequence[Study]) -> dict[int, list[Study]]:
    """Return the further arms of each study, in at most one query."""
    arms = defaultdict[int, list[Study]](list)
    with_arms = [study for study in fronts if study.has_arms]
    for arm in Study.objects.filter(front__in=with_arms).order_by("pk") if with_arms else ():
        arms[arm.front_id or 0].append(arm)
    return arms
