"""Use uploaded files as documents, runs or a pool, and tell the user which other files they replace."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core.intake.column_maps import Format
from judging.core.intake.datasets import is_dataset
from judging.models import Setup
from judging.protocol.setup_files import FileKind
from judging.setup.files import attach


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
