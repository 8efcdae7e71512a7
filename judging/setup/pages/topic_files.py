"""The “Topics of a file” page, which shows the topics of a file before any of them is imported."""

import re
from collections.abc import Collection
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judging.core.faults import Faults, StudyRefusedError
from judging.core.words import translated
from judging.models import Setup
from judging.protocol.setup_files import FileKind
from judging.setup.columns import format_from_text
from judging.setup.files import FORMATS, TOPICS, is_available, source_of
from judging.setup.intake.column_maps import Format
from judging.setup.intake.content import TopicContent
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page
from judging.setup.pages.questions import ask_next
from judging.setup.replacing import judged_topics, listed
from judging.setup.services.setups import locked
from judging.setup.study_files.uploads import remove
from judging.setup.topics import (
    TopicsFile,
    delete_topics,
    differing,
    earlier_topics,
    missing_topics,
    note_topic_file,
    read_topics_file,
    save_topics,
    topics_with,
)

SHOWN: Final = 5
"""The number of topics that the page shows."""
ALL, THESE = "all", "these"
REPLACE: Final = "replace"
"""The choice to delete the topics of an earlier file of the same name that are not imported again."""
KEEP: Final = {
    ALL: gettext_lazy("All topics"),
    FileKind.GRADES.value: gettext_lazy("Only topics with known grades"),
    FileKind.RUN.value: gettext_lazy("Only topics in the runs"),
    THESE: gettext_lazy("Only the topics below"),
}
"""The topics of a file that can be kept."""


def numbers_in(text: str) -> list[str]:
    """Return the topic numbers in a text, which are separated by spaces, commas or semicolons."""
    return [number for number in re.split(r"[\s,;]+", text) if number]


@setup_page
def import_topics(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Show the first topics of the file `?name=`, and import the topics that the user keeps."""
    name, encoding = request.GET.get("name", ""), request.GET.get("encoding", "")[:40]
    form = format_from_text(request.GET.get("format", ""), request.GET.get("columns", ""), TOPICS)
    if form.name not in (*FORMATS[TOPICS], "irds"):
        messages.error(request, _("Nothing was changed. Use one of the forms."))
        return redirect(page.address("files"))
    if not is_available(page.setup, name):
        messages.error(request, _("This file was removed. Upload it again."))
        return ask_next(request, page)
    path = source_of(page.setup.folder, name, Faults()).path
    try:
        read = read_topics_file(path, form=form, encoding=encoding)
    except StudyRefusedError as refusal:
        faults = refusal.without(f"{page.setup.folder}/").translated_lines
        return _show(request, page, name, form, faults=faults, status=200)
    with_files = {kind: topics_with(page.setup, kind) for kind in (FileKind.GRADES.value, FileKind.RUN.value)}
    counts = {
        kind: sum(topic.number in numbers for topic in read.topics) for kind, numbers in with_files.items()
    }
    context: dict[str, Any] = {"read": read, "counts": {ALL: len(read.topics), **counts}}
    if request.method != "POST":
        return _show(request, page, name, form, **context)
    keep, typed = request.POST.get("keep", ALL), request.POST.get("only", "")
    replaces = request.POST.get("earlier") == REPLACE
    numbers = numbers_in(typed) if keep == THESE else with_files.get(keep)
    problems = _problems(read, keep, numbers)
    if problems:
        context |= {"keep": keep, "only": typed, "replaces": replaces}
        return _show(request, page, name, form, problems=problems, status=400, **context)
    wanted = [topic for topic in read.topics if numbers is None or topic.number in numbers]
    with locked(page.setup) as setup:
        take_topics(request, setup, name, form, wanted, read, replaces=replaces)
    return ask_next(request, page, TOPICS, answered=[name])


def _problems(read: TopicsFile, keep: str, numbers: Collection[str] | None) -> list[str]:
    if keep not in KEEP:
        return [_("Choose which topics to keep.")]
    if keep == THESE and not numbers:
        return [_("Enter the numbers of the topics to keep.")]
    if keep == THESE:
        return [translated(sentence) for sentence in missing_topics(read, numbers or ())]
    if numbers is not None and not any(topic.number in numbers for topic in read.topics):
        return [_("No topic of the file is left. Choose other topics to keep.")]
    return []


def take_topics(
    request: HttpRequest,
    setup: Setup,
    name: str,
    form: Format,
    wanted: list[TopicContent],
    read: TopicsFile,
    *,
    replaces: bool = False,
) -> None:
    """Save topics of an uploaded file or a collection, and then delete the file.

    If the file replaces an earlier file of the same name, also delete the topics of the earlier file that are
    not saved now. Topics that workers have judged stay as they are, and a message names them.
    """
    judged, numbers = judged_topics(setup), [topic.number for topic in wanted]
    earlier = earlier_topics(setup, name)
    dropped = [number for number in earlier if number not in numbers] if replaces else []
    staying = sorted((differing(setup.study, wanted) | set(dropped)) & judged)
    added, replaced = save_topics(setup.study, wanted, judged=judged)
    deleted = delete_topics(setup.study, [number for number in dropped if number not in judged])
    note_topic_file(setup, name, numbers if replaces else [*earlier, *numbers])
    remove(setup.folder, name)
    for notice in read.notices:
        messages.warning(request, translated(notice).replace(f"{setup.folder}/", ""))
    if staying:
        text = ngettext(
            "Topic {topics} stays as it is, because workers have judged documents for it.",
            "These topics stay as they are, because workers have judged documents for them: {topics}.",
            len(staying),
        )
        messages.warning(request, text.format(topics=listed(staying)))
    record_change(request, setup, _topics_imported(name, form.name, added, replaced, deleted))


def _show(
    request: HttpRequest,
    page: SetupPage,
    name: str,
    form: Format,
    *,
    read: TopicsFile | None = None,
    counts: dict[str, int] | None = None,
    keep: str = "",
    only: str | None = None,
    replaces: bool = False,
    problems: Collection[str] = (),
    faults: Collection[str] = (),
    status: int = 200,
) -> HttpResponseBase:
    sent: QueryDict = request.GET
    only = sent.get("only", "") if only is None else only
    prefix = f"{page.setup.folder}/"
    earlier = earlier_topics(page.setup, name) if read else []
    numbers = {topic.number for topic in read.topics} if read else set()
    context = {
        "name": name,
        "form_name": form.name,
        "first": read.topics[:SHOWN] if read else [],
        "number": len(read.topics) if read else 0,
        "notices": [translated(notice).replace(prefix, "") for notice in read.notices] if read else [],
        "keeps": [(key, label, (counts or {}).get(key)) for key, label in KEEP.items()],
        "keep": keep or (THESE if only else ALL),
        "only": only,
        "earlier": earlier,
        "missing": listed([number for number in earlier if number not in numbers]),
        "replaces": replaces,
        "problems_of_file": faults,
        "faults": {"only": " ".join(problems)} if problems else {},
    }
    return render_page(request, page, "import_topics", step="files", status=status, **context)


def _topics_imported(name: str, form: str, added: int, replaced: int, deleted: int = 0) -> str:
    """Return a message that confirms an import of topics."""
    sentences = [_("Plumbline read {name} in {format} format.").format(name=name, format=form)]
    if added:
        text = ngettext("{number} topic was added.", "{number} topics were added.", added)
        sentences.append(text.format(number=added))
    if replaced:
        text = ngettext("{number} topic was replaced.", "{number} topics were replaced.", replaced)
        sentences.append(text.format(number=replaced))
    if deleted:
        text = ngettext("{number} topic was deleted.", "{number} topics were deleted.", deleted)
        sentences.append(text.format(number=deleted))
    return " ".join(sentences)
