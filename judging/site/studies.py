"""The page that lists all studies with their progress."""

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
from judging.models.fields import choices
from judging.protocol.states import StudyState
from judging.protocol.words import gettext_noop
from judging.watching.selectors.progress import Progress, study_progress

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
    matching = form.filter(access.visible_studies(request.user)).order_by(*order, "slug")
    page = page_of(request, matching.count(), per_page=STUDIES_PER_PAGE)
    listed = list(matching[page.places.start : page.places.stop])
    progress = study_progress(listed)
    context = {
        "studies": [(study, progress.get(study.pk, Progress())) for study in listed],
        "page": page,
        "form": form,
        "shows_form": form.is_worth(page.paginator.count),
        "may_set_up": access.may_set_up(request.user),
        "sorting": sorting,
        "sorts": sorting.headings({name: gettext(label) for name, label in SORTS.items()}),
    }
    return render(request, "site/studies.html", context, status=max(page.status, sorting.status))
