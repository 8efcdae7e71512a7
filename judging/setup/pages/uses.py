"""Use uploaded files, or ask about them first, and tell the user which other files they replace."""

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.models import Setup
from judging.protocol.setup_files import FileKind
from judging.setup.columns import format_of_upload, needs_columns
from judging.setup.files import TOPICS, attach
from judging.setup.intake.column_maps import Format
from judging.setup.intake.datasets import is_dataset
from judging.setup.pages.common import SetupPage
from judging.setup.pages.questions import Question
from judging.setup.topics import note_waiting_topics


class Use(NamedTuple):
    """What the user chose for the files of an upload. An empty text means that the user chose nothing.

    `only` lists the topics to keep.
    """

    kind: str
    form: str = ""
    encoding: str = ""
    only: str = ""

    @property
    def query(self) -> dict[str, str]:
        """Return the choices as the query of an address."""
        sent = {"kind": self.kind, "format": self.form, "encoding": self.encoding, "only": self.only}
        return {name: value for name, value in sent.items() if value}


class Uses(NamedTuple):
    """The files that are used now, with their formats, and the questions about the other files."""

    used: list[str]
    questions: list[Question]


def use_or_ask(request: HttpRequest, page: SetupPage, setup: Setup, names: list[str], use: Use) -> Uses:
    """Use stored files as documents, as runs, or as another kind of file.

    Leave out files about which the user must first answer a question. The topics of a file are always shown
    before they are imported.
    """
    kind, encoding = use.kind, use.encoding
    if kind == FileKind.GRADES:
        sent = {"encoding": encoding} if encoding else {}
        return Uses([], [Question([name], page.address("grades", name=name, **sent)) for name in names])
    if kind == TOPICS:
        note_waiting_topics(setup, names)
    uses = Uses([], [])
    by_format: dict[str, list[str]] = {}
    for name in names:
        by_format.setdefault(format_of_upload(setup.folder, name, kind, use.form), []).append(name)
    for file_format, alike in by_format.items():
        chosen = use._replace(form=file_format)
        if needs_columns(setup.folder, alike[0], kind, file_format, encoding):
            uses.questions.append(Question(alike, columns_page(page, alike, chosen)))
        elif kind == TOPICS:
            sent = {key: value for key, value in chosen.query.items() if key != "kind"}
            uses.questions.extend(
                Question([name], page.address("import_topics", name=name, **sent)) for name in alike
            )
        else:
            use_files(request, setup, kind, alike, Format(file_format), encoding)
            with_format = _("{name} (format: {format})") if file_format else "{name}"
            uses.used.extend(with_format.format(name=name, format=file_format) for name in alike)
    return uses


def columns_page(page: SetupPage, names: list[str], use: Use) -> str:
    """Return the address of the page on which the user says what the columns of these files mean."""
    query = {**use.query, "name": names}
    return reverse("console:setup_columns", args=[page.study.slug], query=query)


def use_files(
    request: HttpRequest, setup: Setup, kind: str, names: Iterable[str], form: Format, encoding: str
) -> None:
    """Add files to the set-up. All of them have the same format and encoding."""
    for name in names:
        depth = setup.pool_depth
        _file, replaced = attach(setup, kind, name, form=form, encoding=encoding)
        if replaced:
            messages.warning(request, _replaced(name, kind, replaced))
        if kind == FileKind.POOL and depth is not None:
            text = _("{name} replaces the pool depth, which was {depth}.")
            messages.warning(request, text.format(name=name, depth=depth))


def _replaced(name: str, kind: str, replaced: list[str]) -> str:
    sentences = [_("{name} replaces {files}.").format(name=name, files=", ".join(replaced))]
    if kind == FileKind.DOCUMENTS:
        sentences.append(_("All files of documents must have the same format, columns and encoding."))
    return " ".join([*sentences, where_unused(replaced)]).strip()


def where_unused(names: list[str]) -> str:
    """Return a sentence that tells the user where to find files that are no longer used."""
    files = [name for name in names if not is_dataset(name)]
    if not files:
        return ""
    text = ngettext(
        "{files} is now among the unused files.", "{files} are now among the unused files.", len(files)
    )
    return text.format(files=", ".join(files))
