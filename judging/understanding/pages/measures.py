"""The form that asks for measures, in the library's notation."""

from collections.abc import Mapping
from typing import Any

from django import forms

from judging.understanding.reports.asking import LONGEST, asked_measures


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
