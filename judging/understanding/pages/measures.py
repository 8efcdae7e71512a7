"""Asking for measures, in the library's notation: the form, and reading them before anything is computed."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms

from evaluation.errors import InputError
from evaluation.measures import parse

MOST_MEASURES: Final = 20
LONGEST: Final = 1000


class MeasuresForm(forms.Form):
    """One measure a line. What is wrong with a line is told beside the field."""

    measures = forms.CharField(label="Measures, one a line", required=False)

    def __init__(self, data: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(data, auto_id="%s", label_suffix="", **options)

    def clean_measures(self) -> list[str]:
        text = self.cleaned_data["measures"][: LONGEST + 1]
        measures, faults = asked_measures(text, of_magnitudes=True)
        if faults:
            raise forms.ValidationError(faults)
        return measures


def measures_in(request_data: Mapping[str, str], default: tuple[str, ...]) -> list[str]:
    """The measures that an address asks for; the default where it asks for none, or for what is none."""
    measures, faults = asked_measures(request_data.get("measures", ""))
    return list(default) if faults or not measures else measures


def asked_measures(text: str, *, of_magnitudes: bool = False) -> tuple[list[str], list[str]]:
    """Return the measures in a text, one a line, each once and in its own notation; and its faults.

    With `of_magnitudes`, a measure that needs `gmax` for magnitudes and lacks it is a fault.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines or len(lines) > MOST_MEASURES or len(text) > LONGEST:
        return [], [f"Write 1 to {MOST_MEASURES} measures, one a line, such as nDCG@10."]
    measures, faults = [], []
    for number, line in lines:
        try:
            measure = parse(line)
        except InputError as fault:
            faults.append(f"Line {number}: {fault}.")
            continue
        measures.append(str(measure))
        if of_magnitudes and measure.needs_whole_gains:
            by_topic = measure.with_gmax_of_topic()
            faults.append(
                f"Line {number}: magnitudes are not whole numbers, so {measure} needs gmax."
                f" Write {by_topic} for the largest gain of each topic."
            )
    return list(dict.fromkeys(measures)), faults
