"""The forms beside uploaded files: what grades are called, and how deep runs are pooled."""

from django import forms
from django.http import QueryDict

from judging.core.intake.faults import Faults, Where
from judging.core.intake.grades import read_set_name
from judging.core.intake.tables import Table
from judging.models import Setup, SetupFile
from judging.protocol.states import Grade
from judging.setup.pages.forms import SetupForm


class GradesForm(SetupForm):
    """The name of a set of grades, and the grade of pooled documents that its file does not list."""

    path = forms.CharField(widget=forms.HiddenInput)
    name = forms.CharField(label="Name in exports", widget=forms.TextInput(attrs={"class": "short"}))
    unlisted = forms.ChoiceField(
        label="Pooled documents that the file does not list",
        required=False,
        choices=[("", "have no grade"), *((grade.value, f"are {grade}") for grade in Grade)],
    )

    def __init__(self, file: SetupFile, sent: QueryDict | None = None) -> None:
        self.file = file
        stored = {"path": file.path, "name": file.name, "unlisted": file.unlisted}
        super().__init__(stored, sent, ids=f"%s-{file.pk}")

    def clean_name(self) -> str:
        name, faults = str(self.cleaned_data["name"]), Faults()
        others = self.file.setup.files.exclude(pk=self.file.pk).exclude(name="")
        read_set_name(
            Table({"name": name}, lambda path: Where(""), faults), set(others.values_list("name", flat=True))
        )
        if faults.count:
            raise forms.ValidationError([f"The name {fault.what}." for fault in faults.kept])
        return name

    def save(self) -> None:
        self.file.name, self.file.unlisted = self.cleaned_data["name"], self.cleaned_data["unlisted"]
        self.file.save(update_fields=["name", "unlisted"])


class DepthForm(SetupForm):
    """How deep the runs are pooled."""

    depth = forms.IntegerField(
        label="Depth",
        min_value=1,
        max_value=10_000,
        required=False,
        help_text="1 to 10000; empty if you upload a list.",
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), "Enter a whole number from 1 to 10000."
        ),
        widget=forms.TextInput(attrs={"class": "short", "inputmode": "numeric"}),
    )

    def __init__(self, setup: Setup, sent: QueryDict | None = None) -> None:
        super().__init__({"depth": "" if setup.pool_depth is None else str(setup.pool_depth)}, sent)
