"""The “Known grades” page, on which the user chooses what the values of a file of grades mean."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.models import Setup, SetupFile
from judging.protocol.setup_files import FileKind
from judging.protocol.states import Grade
from judging.setup.columns import container_of_grades, format_from_text
from judging.setup.files import (
    OWN,
    GradeFile,
    attach,
    is_available,
    levels_of,
    meaning_of,
    read_grade_file,
    set_meaning,
)
from judging.setup.intake.column_maps import Format
from judging.setup.intake.readers.grades import DROP, LEVELS
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page
from judging.setup.pages.forms import SetupForm
from judging.setup.pages.questions import ask_next
from judging.setup.services.setups import locked

GRADES = (*(grade.value for grade in Grade), DROP)


class MeaningForm(SetupForm):
    """What the values in a file mean: one of the known ways to read them, or a grade for each value."""

    meaning = forms.CharField(label=gettext_lazy("Meaning of the values"))

    def __init__(self, setup: Setup, name: str, grade_file: GradeFile, sent: QueryDict | None = None) -> None:
        self.file = setup.files.filter(kind=FileKind.GRADES, path=name).first()
        self.grade_file = grade_file
        saved = meaning_of(self.file)
        if sent is not None:
            self.reading = sent.get("reading", "")
            places = enumerate(grade_file.values)
            self.own = {value: sent.get(f"grade-{place}", "") for place, (value, _count) in places}
            sent = sent.copy()
            sent["meaning"] = self._meaning()
        else:
            self.reading = saved if saved in LEVELS or not saved else OWN
            self.own = levels_of(saved)
        super().__init__({"meaning": saved}, sent)

    def _meaning(self) -> str:
        if self.reading == OWN:
            return " ".join(f"{value}={level}" for value, level in self.own.items())
        return self.reading

    def clean_meaning(self) -> str:
        if self.reading not in (*LEVELS, OWN):
            raise forms.ValidationError(_("Choose how to read the values."))
        levels = self.own if self.reading == OWN else LEVELS[self.reading]
        unknown = ", ".join(
            value for value, _count in self.grade_file.values if levels.get(value) not in GRADES
        )
        if unknown and self.reading == OWN:
            text = _("In the “My choice” column, choose a grade for these values: {values}.")
            raise forms.ValidationError(text.format(values=unknown))
        if unknown:
            text = _(
                "With this choice, these values have no grade: {values}. Choose another way to read "
                "the values, or choose a grade for each value."
            )
            raise forms.ValidationError(text.format(values=unknown))
        return self._meaning()


@setup_page
def grades(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Show the values in a file, and save the meaning that the user chooses for them.

    `?name=` is the name of the file. For each known way to read the values, the page shows the resulting
    grades.
    """
    name = request.GET.get("name", "")
    if not is_available(page.setup, name):
        messages.error(request, _("This file was removed. Upload it again."))
        return redirect(page.address("files"))
    folder = page.setup.folder
    file = SetupFile.objects.filter(setup=page.setup, kind=FileKind.GRADES, path=name).first()
    encoding = request.GET.get("encoding", file.encoding if file else "")[:40]
    sent_format = request.GET.get("format", "")
    form_of_file = format_from_text(sent_format, request.GET.get("columns", ""), FileKind.GRADES)
    if not form_of_file.columns and file:
        form_of_file = Format(file.format, file.columns)
    if file is None and not form_of_file.columns:
        if container := container_of_grades(folder, name, encoding):
            query = {"kind": FileKind.GRADES.value, "format": container, "name": name}
            query |= {"encoding": encoding} if encoding else {}
            return redirect(page.address("columns", **query))
        form_of_file = Format("qrels")
    grade_file = read_grade_file(folder, name, encoding, form_of_file)
    if request.method != "POST" or grade_file.faults:
        return _show(request, page, name, MeaningForm(page.setup, name, grade_file))
    with locked(page.setup) as setup:
        form = MeaningForm(setup, name, grade_file, request.POST)
        if not form.is_accepted():
            return _show(request, page, name, form)
        chosen = form.file or attach(setup, FileKind.GRADES, name, encoding=encoding).file
        if form_of_file.columns:
            chosen.format, chosen.columns = form_of_file.name, form_of_file.columns
        set_meaning(chosen, form.cleaned_data["meaning"])
        record_change(request, setup)
    return ask_next(request, page, FileKind.GRADES, answered=[name])


def _show(request: HttpRequest, page: SetupPage, name: str, form: MeaningForm) -> HttpResponseBase:
    rows = [
        {
            "value": value,
            "count": count,
            "readings": [levels.get(value, "") for levels in LEVELS.values()],
            "own": form.own.get(value, ""),
        }
        for value, count in form.grade_file.values
    ]
    return render_page(request, page, "grades", step="files", name=name, form=form, rows=rows, grades=GRADES)
