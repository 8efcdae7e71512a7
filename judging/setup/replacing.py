"""Replace an uploaded file with a corrected file, unless it cannot be read or would change judged data."""

import filecmp
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from django.db import transaction

from judging.core.faults import Faults, StudyRefusedError
from judging.models import Judgment, Setup, SetupFile, Study, Topic
from judging.protocol.setup_files import FileKind
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _
from judging.setup.files import fault_lines, source_of
from judging.setup.intake.column_maps import Format
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.document_files import read_documents
from judging.setup.intake.readers.grades import LEVELS, read_grades, read_pool
from judging.setup.intake.readers.runs import ranked_lists, read_study_run
from judging.setup.study_files.uploads import safe_name

MOST_NAMED: Final = 20
"""The largest number of topics or documents that a message names."""
_EMPTY: Final = _("The file has nothing for the topics of this study. Check that it is the right file.")
_JUDGED_DOCUMENTS: Final = ngettext_noop(
    "{file} stays as it is. Workers have judged document {names}, and the new file changes it or leaves it "
    "out. Restore it in the new file, then upload the file again.",
    "{file} stays as it is. Workers have judged the documents {names}, and the new file changes them or "
    "leaves them out. Restore them in the new file, then upload the file again.",
)
_JUDGED_TOPICS: Final = ngettext_noop(
    "{file} stays as it is. Workers have judged topic {names}, and the new file differs for it. Restore the "
    "lines of this topic in the new file, then upload the file again.",
    "{file} stays as it is. Workers have judged the topics {names}, and the new file differs for them. "
    "Restore the lines of these topics in the new file, then upload the file again.",
)


def earlier_file(setup: Setup, kind: str, name: str, sent: str) -> str:
    """Return the path of the file that an upload may correct, or "" if there is none.

    The upload was sent under the name `sent` and is stored as `name`. An earlier file has the same name, and
    is used as the same kind of file or not used. It can be in a folder that came with a study file.
    """
    wanted = safe_name(sent)
    for path, used_as in setup.files.exclude(path=name).values_list("path", "kind"):
        if Path(path).name == wanted and used_as == kind and (setup.folder / path).is_file():
            return str(path)
    is_unused = not setup.files.filter(path=wanted).exists()
    return wanted if name != wanted and is_unused and (setup.folder / wanted).is_file() else ""


def is_same_file(setup: Setup, old: str, new: str) -> bool:
    """Return whether two files of a set-up have the same content."""
    return filecmp.cmp(setup.folder / old, setup.folder / new, shallow=False)


@transaction.atomic
def replace_file(*, setup: Setup, old: str, new: str) -> None:
    """Replace the content of the file `old` with that of the file `new`, and delete `new`.

    The new file is read in the same way as the old one: with its format, its columns and its meaning of the
    values. The next check then reads the new content in place of the old.

    Raise StudyRefusedError, and change nothing, if the new file cannot be read, or if it would change what
    workers have judged. The files are exchanged in one step when the transaction is over. If that fails, both
    files are still there.
    """
    file = setup.files.filter(path=old).first()
    exchange = partial(os.replace, setup.folder / new, setup.folder / old)
    if file is None:
        exchange()  # nothing has been read from an unused file
        return
    faults = Faults()
    content = _content(setup, file, new, faults)
    if not content and not faults.count:
        faults.add(source_of(setup.folder, new, faults).at(1), "", _EMPTY)
    if faults.count:
        raise StudyRefusedError([line.replace(new, old, 1) for line in fault_lines(faults, setup.folder)])
    _refuse_judged(setup, file, content)
    transaction.on_commit(exchange)


def judged_topics(setup: Setup) -> set[str]:
    """Return the numbers of the topics for which workers have judged documents.

    Only the set-up of changes to a study can have such topics.
    """
    study = setup.study.changes_to
    return set() if study is None else set(_judged(study, "assignment__topic__number"))


def _judged(study: Study, name: str) -> set[str]:
    rows = Judgment.objects.filter(assignment__topic__in=Topic.objects.filter(study=study).order_by())
    return set(rows.order_by().values_list(name, flat=True).distinct())


def _refuse_judged(setup: Setup, file: SetupFile, content: Mapping[str, object]) -> None:
    """Raise StudyRefusedError with the judged topics or documents for which the new file differs."""
    study = setup.study.changes_to
    if study is None:
        return
    if file.kind == FileKind.DOCUMENTS:
        judged, text = _judged(study, "pool_document__document__document_id"), _JUDGED_DOCUMENTS
        judged |= _judged(study, "compared_with__document__document_id") - {None}
    else:
        judged, text = judged_topics(setup), _JUDGED_TOPICS
    if not judged:
        return
    before = _content(setup, file, file.path, Faults())
    changed = sorted(name for name in judged if before.get(name) != content.get(name))
    if changed:
        values = {"file": file.path, "number": len(changed), "names": listed(changed)}
        raise StudyRefusedError([Sentence(text[0], values, text[1])])


def listed(names: list[str]) -> str:
    """Return the first names of a list, separated by commas."""
    more = ["…"] if len(names) > MOST_NAMED else []
    return ", ".join([*names[:MOST_NAMED], *more])


def _content(setup: Setup, file: SetupFile, path: str, faults: Faults) -> Mapping[str, object]:
    """Return what the file at `path` says for each topic, or for each document in a file of documents.

    The file is read in the same way as `file`.
    """
    source = source_of(setup.folder, path, faults, file.encoding)
    numbers = set(Topic.objects.filter(study=setup.study).values_list("number", flat=True))
    if file.kind == FileKind.RUN:
        run, _others = read_study_run(source, numbers)
        lists = ranked_lists(run.frame) if run else {}
        return lists if numbers or run is None else {"": run}
    if file.kind == FileKind.POOL:
        return {topic: set(documents) for topic, documents in read_pool(source, set()).items()}
    if file.kind == FileKind.GRADES:
        return _grades(source, file, numbers)
    documents = read_documents(source, Format(file.format, file.columns))
    return {
        document.id: hash((document.title, document.text, document.layout, document.markup, document.sources))
        for document in documents
    }


def _grades(source: SourceFile, file: SetupFile, numbers: set[str]) -> Mapping[str, object]:
    levels = file.levels or LEVELS.get(file.format or "qrels", {})
    grades, others = read_grades(source, levels, numbers, Format(file.format, file.columns))
    return grades if numbers else dict.fromkeys(others)
