"""The forms of the page “Plan”: what researchers assume, want to reach, and would spend."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, get_args

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.core.pages.number_fields import AmountField, NumberField, WholeField
from judging.protocol.words import gettext_noop
from judging.understanding.reports.plans import CROWDS, EXPLAINED, TOPICS, Goals, Width

CROWD_NAMES: Final = {
    "careful": gettext_noop("careful"),
    "typical": gettext_noop("typical"),
    "poor": gettext_noop("poor"),
}
HALF_WIDTH: Final = 10.0
"""The half-width in per cent of the mean score for which the page names the cheapest way, by default."""
_TOPICS: Final = 18
_MODEL_COST: Final = gettext_lazy("Enter an amount of money from 0 to 1000, with at most 8 decimals.")


class AssumptionsForm(forms.Form):
    """What researchers assume about a study before anybody has judged. Empty fields take their defaults."""

    crowd = forms.ChoiceField(
        label=gettext_lazy("Crowd"),
        choices=lambda: [(name, _(CROWD_NAMES[name])) for name in CROWDS],
        error_messages={"invalid_choice": gettext_lazy("Choose a crowd from the list.")},
    )
    documents = WholeField(
        label=gettext_lazy("Documents per topic, without anchors"),
        min_value=10,
        max_value=100,
        required=False,
    )
    systems = WholeField(label=gettext_lazy("Systems to compare"), min_value=2, max_value=60, required=False)
    difference = NumberField(
        label=gettext_lazy("Difference in nDCG@10 that you want to detect"),
        min_value=0.001,
        max_value=1,
        required=False,
    )

    def __init__(self, data: Mapping[str, Any], **options: Any) -> None:
        super().__init__(data, auto_id="%s", label_suffix="", **options)

    def clean(self) -> None:
        for name, field in self.fields.items():
            if self.cleaned_data.get(name, "") is None:
                self.cleaned_data[name] = self.get_initial_for_field(field, name)


class GoalsForm(forms.Form):
    """What researchers want to reach. An empty field sets no goal.

    Of the fields `factor` and `margin`, the form has only the one that the plan predicts.
    """

    tau = NumberField(
        label=gettext_lazy("Minimum mean τ with the true ranking"),
        help_text=gettext_lazy(
            "For example, 0.9. The true ranking is the one that very many judgments would give."
        ),
        min_value=0.01,
        max_value=1,
        required=False,
    )
    factor = NumberField(
        label=gettext_lazy("Maximum width of a gain’s interval, as a factor"),
        help_text=gettext_lazy("With 1.5, the 95 % interval of a gain of 6 reaches from 4 to 9."),
        min_value=1.01,
        max_value=1000,
        required=False,
    )
    margin = NumberField(
        label=gettext_lazy("Maximum margin of a gain’s interval"),
        help_text=gettext_lazy("With 0.5, the 95 % interval of a gain of 2 reaches from 1.5 to 2.5."),
        min_value=0.001,
        max_value=1000,
        required=False,
    )
    power = NumberField(
        label=gettext_lazy("Minimum chance of telling two systems apart (%)"),
        help_text=gettext_lazy(
            "For example, 80. See the chart below for the difference between the two systems."
        ),
        min_value=1,
        max_value=100,
        required=False,
    )

    def __init__(self, data: Mapping[str, Any], width: Width) -> None:
        super().__init__(data, auto_id="%s", label_suffix="")
        for other in {*get_args(Width)} - {width}:
            del self.fields[other]

    @property
    def goals(self) -> Goals:
        """Return the goals of a valid form."""
        power = self.cleaned_data["power"]
        return Goals(**{**self.cleaned_data, "power": None if power is None else power / 100})


class BudgetsForm(forms.Form):
    """The study whose budgets are compared, the model's cost, and the half-width that researchers want.

    `measured` is the cost of the study's own machine judges for each document, or None if none is finished.
    """

    topics = forms.TypedChoiceField(
        label=gettext_lazy("Topics of the study"),
        coerce=int,
        choices=[(number, str(number)) for number in TOPICS],
        error_messages={"invalid_choice": gettext_lazy("Choose a number of topics from the list.")},
    )
    explained = forms.TypedChoiceField(
        label=gettext_lazy("How much predictions explain of the differences between gains"),
        help_text=gettext_lazy("For example, the grades of a language model often explain 10 to 30 %."),
        coerce=float,
        choices=[(str(share), f"{round(100 * share)} %") for share in EXPLAINED],
        error_messages={"invalid_choice": gettext_lazy("Choose a percentage from the list.")},
    )
    model_cost = AmountField(
        label=gettext_lazy("Cost of the model per document"),
        help_text=gettext_lazy(
            "The model judges every document of the pools. Use the currency of the pay. If a machine judge "
            "of this study has finished, the number is what it cost."
        ),
        min_value=0,
        max_value=1000,
        max_digits=12,
        decimal_places=8,
        error_messages=dict.fromkeys(
            (
                *("required", "invalid", "min_value", "max_value"),
                *("max_digits", "max_decimal_places", "max_whole_digits"),
            ),
            _MODEL_COST,
        ),
    )
    half_width = NumberField(
        label=gettext_lazy("Half-width that you want (% of the mean score)"),
        help_text=gettext_lazy(
            "With 10, the interval of a difference reaches 10 % of the mean score to each side."
        ),
        min_value=0.1,
        max_value=1000,
        required=False,
    )
    target = forms.ChoiceField(
        label=gettext_lazy("The interval is for"),
        choices=[
            ("these_topics", gettext_lazy("these topics")),
            ("new_topics", gettext_lazy("new topics like these")),
        ],
        error_messages={"invalid_choice": gettext_lazy("Choose one of the two kinds of interval.")},
    )

    def __init__(self, data: Mapping[str, Any], study_topics: int, measured: Decimal | None) -> None:
        nearest = min(TOPICS, key=lambda number: abs(number - (study_topics or _TOPICS)))
        initial = {
            "topics": nearest,
            "explained": str(EXPLAINED[1]),
            "model_cost": f"{(measured or Decimal(0)).normalize():f}",
            "half_width": HALF_WIDTH,
            "target": "these_topics",
        }
        given = {name: data[name] for name in initial if data.get(name)}
        super().__init__({**initial, **given}, auto_id="%s", label_suffix="", initial=initial)
