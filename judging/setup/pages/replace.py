"""The “Earlier file” page, which asks whether an uploaded file replaces the file of the same name."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.core.faults import StudyRefusedError
from judging.models import Setup
from judging.protocol.setup_files import FileKind
from judging.setup.files import FORMATS, is_available
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page
from judging.setup.pages.questions import add_questions, ask_next
from judging.setup.pages.uses import Use, use_or_ask
from judging.setup.replacing import replace_file
from judging.setup.services.setups import locked
from judging.setup.study_files.uploads import files_in

REPLACE, BOTH = "replace", "both"
TEXTS: Final = {
    FileKind.DOCUMENTS.value: gettext_lazy(
        "If you replace it, its documents are taken out, and the documents of the new file are put in. The "
        "new file is read with the same format, columns and encoding."
    ),
    FileKind.RUN.value: gettext_lazy(
        "If you replace it, its run is taken out, and the run of the new file is put in."
    ),
    FileKind.GRADES.value: gettext_lazy(
        "If you replace it, its grades are taken out, and the grades of the new file are put in. The values "
        "keep their meaning."
    ),
    FileKind.POOL.value: gettext_lazy(
        "If you replace it, its documents leave the pools, and the documents of the new list are put in."
    ),
}
"""What happens if a file of each kind is replaced."""


@setup_page
def replace(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Ask whether the new file `?name=` replaces the file `?old=`, and do what the user chooses.

    The other values in the address are what the user chose when uploading the new file.
    """
    name, old, kind = (request.GET.get(key, "") for key in ("name", "old", "kind"))
    form, encoding = request.GET.get("format", ""), request.GET.get("encoding", "")[:40]
    if kind not in FORMATS or (form and form not in FORMATS[kind]) or not old or old == name:
        messages.error(request, _("Nothing was changed. Use one of the forms."))
        return redirect(page.address("files"))
    if not is_available(page.setup, name) or page.setup.files.filter(path=name).exists():
        messages.error(request, _("This file was removed. Upload it again."))
        return ask_next(request, page)
    use = Use(kind, form, encoding, request.GET.get("only", ""))
    if request.method != "POST":
        return _show(request, page, name, old)
    choice = request.POST.get("action", "")
    if choice not in (REPLACE, BOTH):
        messages.error(request, _("Nothing was changed. Use one of the buttons."))
        return redirect(request.get_full_path())
    try:
        with locked(page.setup) as setup:
            if choice == BOTH or not is_available(setup, old):
                _use(request, page, setup, name, use)
            elif setup.files.filter(path=old).exists():
                replace_file(setup=setup, old=old, new=name)
                record_change(request, setup, _("{file} was replaced.").format(file=old))
            else:
                replace_file(setup=setup, old=old, new=name)
                _use(request, page, setup, old, use)
    except StudyRefusedError as refusal:
        return _show(request, page, name, old, faults=refusal.translated_lines, status=400)
    return ask_next(request, page, kind, answered=[name] if choice == REPLACE else [])


def _use(request: HttpRequest, page: SetupPage, setup: Setup, name: str, use: Use) -> None:
    """Use a file, or ask the next question about it. This question replaces the one that is answered now."""
    uses = use_or_ask(request, page, setup, [name], use)
    if uses.used:
        record_change(request, setup, _("Uploaded: {files}.").format(files="; ".join(uses.used)))
    add_questions(request, setup, uses.questions)


def _show(
    request: HttpRequest,
    page: SetupPage,
    name: str,
    old: str,
    *,
    faults: list[str] | None = None,
    status: int = 200,
) -> HttpResponseBase:
    sizes = dict(files_in(page.setup.folder))
    file = page.setup.files.filter(path=old).first()
    context = {
        "name": name,
        "old": old,
        "files": [(path, sizes[path]) for path in (old, name) if path in sizes],
        "text": TEXTS[file.kind] if file else "",
        "problems_of_file": faults or [],
    }
    return render_page(request, page, "replace", step="files", status=status, **context)
