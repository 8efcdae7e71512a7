"""Import a file of topics, and tell the user what was imported."""

import re

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core.intake.column_maps import Format
from judging.core.intake.faults import Faults, StudyRefusedError
from judging.models import Setup
from judging.setup.files import TOPICS, source_of
from judging.setup.pages.common import record_change
from judging.setup.study_files.uploads import remove
from judging.setup.topics import import_topics


def import_topic_file(
    request: HttpRequest, setup: Setup, name: str, form: Format, encoding: str, only: str
) -> None:
    """Import the topics of an uploaded file or a collection, and then delete the file.

    If the file has problems, it stays among the unused files.

    `only` lists the numbers of the topics to import, separated by spaces, commas or semicolons. If `only` is
    empty, all topics are imported.
    """
    numbers = [number for number in re.split(r"[\s,;]+", only) if number]
    path = source_of(setup.folder, name, Faults()).path
    try:
        added, replaced = import_topics(setup.study, path, form=form, encoding=encoding, only=numbers)
    except StudyRefusedError as refusal:
        for line in refusal.without(f"{setup.folder}/").translated_lines:
            messages.error(request, line, extra_tags=f"file-{TOPICS}")
        return
    remove(setup.folder, name)
    record_change(request, setup, _topics_imported(name, form.name, added, replaced))


def _topics_imported(name: str, form: str, added: int, replaced: int) -> str:
    """Return a message that confirms an import of topics."""
    sentences = [_("Plumbline read {name} in {format} format.").format(name=name, format=form)]
    if added:
        text = ngettext("{number} topic was added.", "{number} topics were added.", added)
        sentences.append(text.format(number=added))
    if replaced:
        text = ngettext("{number} topic was replaced.", "{number} topics were replaced.", replaced)
        sentences.append(text.format(number=replaced))
    if not added and not replaced:
        sentences.append(_("The file contains no topics."))
    return " ".join(sentences)
