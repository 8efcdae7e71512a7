"""The form for measures in the library's notation, and the validation of the measures."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.errors import InputError
from evaluation.measures import parse
from evaluation.sampling.linear import LinearMeasure
from judging.core.words import translated

MOST_MEASURES: Final = 20
LONGEST: Final = 1000


class MeasuresForm(forms.Form):
    """A field with one measure per line. Errors name the line, and appear next to the field."""

    measures = forms.CharField(label=gettext_lazy("Measures, one per line"), required=False)

    def __init__(
        self, data: Mapping[str, str] | None = None, *, is_sampled: bool = False, **options: Any
    ) -> None:
        self.is_sampled = is_sampled
        super().__init__(data, auto_id="%s", label_suffix="", **options)

    def clean_measures(self) -> list[str]:
        text = self.cleaned_data["measures"][: LONGEST + 1]
        measures, errors = parse_measures(text, of_magnitudes=True, of_sample=self.is_sampled)
        if errors:
            raise forms.ValidationError(errors)
        return measures


def measures_in(request_data: Mapping[str, str], default: tuple[str, ...]) -> list[str]:
    """Return the measures in an address, or `default` if there are none or some are invalid."""
    measures, errors = parse_measures(request_data.get("measures", ""))
    return list(default) if errors or not measures else measures


def parse_measures(
    text: str, *, of_magnitudes: bool = False, of_sample: bool = False
) -> tuple[list[str], list[str]]:
    """Return the measures in `text`, without repetitions, and the error messages.

    `text` has one measure per line. Some measures need the parameter `gmax` to work with magnitudes. With
    `of_magnitudes`, such a measure without `gmax` is an error. With `of_sample`, so is a measure that a
    sample cannot estimate.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines or len(lines) > MOST_MEASURES or len(text) > LONGEST:
        text = _("Enter 1 to {number} measures, one per line, such as nDCG@10.")
        return [], [text.format(number=MOST_MEASURES)]
    measures, errors = [], []
    for number, line in lines:
        try:
            measure = LinearMeasure.of(line).measure if of_sample else parse(line)
        except InputError as error:
            errors.append(_("Line {line}: {error}.").format(line=number, error=translated(error)))
            continue
        measures.append(str(measure))
        if of_magnitudes and measure.needs_whole_gains:
            forms = measure.forms_by_topic()
            text = _(
                "Line {line}: magnitudes are not whole numbers, so {measure} needs the parameter gmax. "
                "Write it in one of these forms, which use the largest gain of each topic: {forms}."
            )
            errors.append(text.format(line=number, measure=measure, forms=forms))
    return list(dict.fromkeys(measures)), errors
