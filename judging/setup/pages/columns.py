"""The “Columns of a file” page, on which the user says what the columns of a file mean."""

from typing import Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from judging.models import Setup, SetupFile
from judging.protocol.setup_files import FileKind
from judging.setup.columns import Preview, columns_to_text, guess_header, preview
from judging.setup.files import is_available
from judging.setup.intake.column_maps import CONTAINERS, FIELDS, Column, Format, own_columns
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page
from judging.setup.pages.forms import SetupForm
from judging.setup.pages.questions import Question, add_questions, ask_next
from judging.setup.pages.uses import use_files
from judging.setup.services.setups import locked

_NONE: Final = ""
_LONGEST_ENCODING: Final = 40


class ColumnsForm(SetupForm):
    """A form in which the user chooses a column for each of Plumbline's fields.

    At first, the form shows the stored columns or, if none are stored, a guess.
    """

    def __init__(self, file: SetupFile | None, first: Preview, sent: QueryDict | None = None) -> None:
        self.first = first
        saved: dict[str, Column] = file.columns if file else {}
        super().__init__({field.name: str(saved.get(field.name, "")) for field in first.fields}, sent)
        names = [str(name) for name in first.names]
        for field in first.fields:
            none = _("Choose a column") if field.needed else _("No column")
            self.fields[field.name] = forms.ChoiceField(
                label=_(field.label),
                required=field.needed,
                choices=[(_NONE, none), *((name, _label(first, name)) for name in names)],
                error_messages={"required": _("Choose a column.")},
            )
            if not saved:
                self.initial[field.name] = str(first.guess.get(field.name, ""))

    @property
    def columns(self) -> dict[str, Column]:
        """Return a dict from fields to the chosen columns.

        If the user chose no column for a field, but the file has the usual column of this field, the dict
        maps the field to "". Without this entry, Plumbline would read the usual column.
        """
        known = {str(name): name for name in self.first.names}
        own = own_columns(self.first.kind)
        chosen = {name: known.get(self.cleaned_data[name], "") for name in own}
        if not self.first.has_header:
            return {name: column for name, column in chosen.items() if column}
        guessed = self.first.guess if self.first.container == "irds" else own
        unused = {name for name in own if guessed.get(name) in self.first.names}
        return {name: column for name, column in chosen.items() if column or name in unused}


def _label(first: Preview, name: str) -> str:
    return name if first.has_header else _("Column {number}").format(number=name)


@setup_page
def columns(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Show the first rows of a file. Use the file when the user has chosen its columns.

    If the address names several files (`?name=`), the rows come from the first file, but all files are used.
    """
    kind, container = request.GET.get("kind", ""), request.GET.get("format", "")
    names, encoding = request.GET.getlist("name"), request.GET.get("encoding", "")[:_LONGEST_ENCODING]
    if kind not in FIELDS or container not in CONTAINERS or not names:
        messages.error(request, _("Nothing was changed. Use one of the forms."))
        return redirect(page.address("files"))
    if not all(is_available(page.setup, name) for name in names):
        messages.error(request, _("This file was removed. Upload it again."))
        return redirect(page.address("files"))
    folder = page.setup.folder
    file = SetupFile.objects.filter(setup=page.setup, kind=kind, path=names[0]).first()
    header = _header(request, file) if "header" in request.GET or (file and file.columns) else None
    if header is None:
        header = guess_header(folder, names[0], kind, container, encoding)
    first = preview(folder, names[0], kind, container, encoding=encoding, header=header)
    if request.method != "POST" or not first.names:
        return _show(request, page, names, ColumnsForm(file, first))
    with locked(page.setup) as setup:
        form = ColumnsForm(file, first, request.POST)
        if not form.is_accepted():
            return _show(request, page, names, form)
        return _use(request, page, setup, names, Format(container, form.columns), encoding)


def _header(request: HttpRequest, file: SetupFile | None) -> bool:
    if "header" in request.GET:
        return request.GET["header"] == "yes"
    return file is None or all(isinstance(column, str) for column in file.columns.values())


def _use(
    request: HttpRequest, page: SetupPage, setup: Setup, names: list[str], form: Format, encoding: str
) -> HttpResponseBase:
    """Use the files, and read the chosen columns.

    Files of grades and topics are not used yet: the next page asks what the values mean, or shows the topics.
    """
    kind = request.GET["kind"]
    if kind == FileKind.GRADES:
        chosen = {"format": form.name, "columns": columns_to_text(form.columns)}
        query = {"name": names[0], **chosen} | ({"encoding": encoding} if encoding else {})
        address = page.address("grades", **query)
        add_questions(request, setup, [Question(names[:1], address)])
        return redirect(address)
    if kind == FileKind.DOCUMENTS:
        use_files(request, setup, kind, names, form, encoding)
        record_change(
            request, setup, _("The chosen columns now apply to: {files}.").format(files=", ".join(names))
        )
    else:
        sent = {"format": form.name, "columns": columns_to_text(form.columns), "encoding": encoding}
        sent |= {"only": request.GET.get("only", "")}
        sent = {key: value for key, value in sent.items() if value}
        questions = [Question([name], page.address("import_topics", name=name, **sent)) for name in names]
        add_questions(request, setup, questions)
        return redirect(questions[0].address)
    return ask_next(request, page, kind, answered=names)


def _show(request: HttpRequest, page: SetupPage, names: list[str], form: ColumnsForm) -> HttpResponseBase:
    first, query = form.first, request.GET.copy()
    query["header"] = "no" if first.has_header else "yes"
    other_header = f"{reverse('console:setup_columns', args=[page.study.slug])}?{query.urlencode()}"
    labels = [_label(first, str(name)) for name in first.names]
    others = page.setup.files.filter(kind=FileKind.DOCUMENTS).exclude(path__in=names).order_by("pk")
    others_named = others.values_list("path", flat=True) if first.kind == FileKind.DOCUMENTS else []
    return render_page(
        request,
        page,
        "columns",
        step="files",
        names=names,
        form=form,
        first=first,
        labels=labels,
        other_header=other_header,
        others=list(others_named),
    )
