"""The page that shows two workers side by side, and the form that leads to it."""

from collections.abc import Iterable

from django import forms
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from judging.core.pages.guard import console_page, find_study
from judging.core.pages.page_table import ShownTable, Table
from judging.core.pages.scale_words import name_of_numbers
from judging.core.pages.text_fields import UncutField
from judging.models import Participation, Study, WorkerFigures
from judging.protocol.worker_flags import LEAST_UNITS
from judging.watching.pages.statistic_cells import COUNTS, pair_columns, statistics_of
from judging.watching.pages.worker_charts import pair_chart
from judging.watching.selectors.shared_documents import shared_documents
from judging.watching.selectors.worker_statistics import medians_of

_UNKNOWN = "unknown"


class PairForm(forms.Form):
    """Asks for the pseudonyms of two workers of a study. `known` holds pseudonyms to suggest.

    If `first` is given, the form asks only for the other worker.
    """

    a = UncutField(label=_("First worker"), max_length=200)
    b = UncutField(label=_("Second worker"), max_length=200)

    def __init__(
        self,
        study: Study,
        data: QueryDict | None = None,
        *,
        first: str = "",
        known: Iterable[str] = (),
    ) -> None:
        super().__init__(data, auto_id="pair-%s", label_suffix="", initial={"a": first})
        self.study, self.known = study, list(dict.fromkeys(known))
        for field in self.fields.values():
            field.widget.attrs |= {"autocomplete": "off", **({"list": "pair-known"} if self.known else {})}
        if first:
            self.fields["a"].widget = forms.HiddenInput()
            self.fields["b"].label = _("Compare with worker")
        self.workers: dict[str, Participation] = {}

    def clean(self) -> None:
        """Find the two workers."""
        names = [self.cleaned_data[name] for name in ("a", "b") if name in self.cleaned_data]
        workers = Participation.objects.filter(study=self.study, pseudonym__in=names)
        self.workers = {worker.pseudonym: worker for worker in workers.select_related("figures")}
        for field in ("a", "b"):
            name = self.cleaned_data.get(field)
            if name is not None and name not in self.workers:
                self.add_error(field, forms.ValidationError(_fault(name), code=_UNKNOWN))
        if not self.errors and len(self.workers) < 2:
            self.add_error(
                "b", gettext("Both names belong to the same worker. Choose two different workers.")
            )

    @property
    def pair(self) -> tuple[Participation, Participation]:
        """Return the two workers. Use this only if the form is valid."""
        return self.workers[self.cleaned_data["a"]], self.workers[self.cleaned_data["b"]]

    @property
    def status(self) -> int:
        """Return the HTTP status of the response: 404 for an unknown worker, and 400 for other errors."""
        if not self.errors:
            return 200
        unknown = any(self.has_error(field, _UNKNOWN) for field in self.fields)
        return 404 if unknown else 400


def _fault(name: str) -> str:
    return gettext("This study has no worker “{name}”. Copy the name from the list of workers.").format(
        name=name[:40]
    )


@require_safe
@console_page
def worker_pair(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show two workers side by side, or the form that asks for them."""
    study = find_study(request, slug)
    form = PairForm(study, request.GET if request.GET.keys() & {"a", "b"} else None)
    context: dict[str, object] = {"study": study, "form": form}
    if form.is_valid():
        context |= _comparison(request, study, *form.pair)
    return render(request, "watching/worker_pair.html", context, status=form.status)


def _comparison(
    request: HttpRequest, study: Study, first: Participation, second: Participation
) -> dict[str, object]:
    statistics = {worker: getattr(worker, "figures", None) for worker in (first, second)}
    return {
        "first": first,
        "second": second,
        "statistics": list(statistics.items()),
        "table": _table(request, study, statistics) if any(statistics.values()) else None,
        "numbers": name_of_numbers(study),
        "shared": pair_chart(study, first, second, shared_documents(first, second)),
    }


def _table(
    request: HttpRequest, study: Study, statistics: dict[Participation, WorkerFigures | None]
) -> ShownTable:
    medians = medians_of(study)
    first, second = ((worker.pseudonym, figures or WorkerFigures()) for worker, figures in statistics.items())
    return Table(
        request,
        pair_columns(first, second, medians.figures),
        heading="statistics",
        of=_("statistics"),
        per_page=0,
        note=ngettext(
            "The medians cover {workers} worker with at least {units} completed units.",
            "The medians cover {workers} workers with at least {units} completed units.",
            medians.workers,
        ).format(workers=medians.workers, units=LEAST_UNITS),
    ).at_hand([*COUNTS, *statistics_of(study)])
