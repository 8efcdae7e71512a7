"""What the values of a file of grades mean: each way to read them is shown before one is taken."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from judging.intake.draft_grades import (
    OWN,
    GradeFile,
    encoding_of,
    levels_of,
    meaning_of,
    put_meaning,
    read_grade_file,
)
from judging.intake.draft_merging import Parts, stamp
from judging.intake.drafting import Values, folder_of, values_of
from judging.intake.readers.grades import DROP, LEVELS
from judging.intake.uploads import files_in
from judging.pages.console.setup.common import Setup, conflicts_of, save_form, setup_page, show
from judging.protocol.states import Grade

GRADES = (*(grade.value for grade in Grade), DROP)
_LABELS = {"meaning": "What the values mean"}


def grades_address(draft: int, name: str, encoding: str = "") -> str:
    """Return the address at which somebody says what the values of a file mean."""
    asked = {"name": name} | ({"encoding": encoding} if encoding else {})
    return f"{reverse('console:setup_grades', args=[draft])}?{urlencode(asked)}"


@setup_page
def grade_meanings(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """The values of the file `?name=` with every reading of them; the one chosen is taken."""
    name = request.GET.get("name", "")
    if name not in dict(files_in(folder_of(setup.draft))):
        messages.error(request, "That file is not here any more. Upload it again.")
        return redirect("console:setup_files", pk=setup.draft.pk)
    encoding = encoding_of(setup.values, name) or request.GET.get("encoding", "")
    found = read_grade_file(folder_of(setup.draft), name, encoding)
    if request.method != "POST" or found.faults:
        return _show(request, setup, name, found)
    reading = request.POST.get("reading", "")
    fault, meaning = _asked(reading, found, _own_levels(request, found))
    if fault:
        messages.error(request, fault, extra_tags="reading")
        return _show(request, setup, name, found, status=400)
    merged = save_form(
        request,
        setup,
        parts=lambda values: _parts(values, name),
        typed={"meaning": meaning},
        write=lambda values, taken: put_meaning(values, name, taken["meaning"], encoding),
        labels=_LABELS,
    )
    if not merged.conflicts:
        return redirect(f"{reverse('console:setup_files', args=[setup.draft.pk])}#grades")
    setup.draft.refresh_from_db()
    setup.values = values_of(setup.draft)
    return _show(
        request, setup, name, found, **conflicts_of(setup, merged, _parts(setup.values, name), _LABELS)
    )


def _parts(values: Values, name: str) -> Parts:
    return {"meaning": meaning_of(values, name)}


def _own_levels(request: HttpRequest, found: GradeFile) -> dict[str, str]:
    return {value: request.POST.get(f"grade-{place}", "") for place, (value, _) in enumerate(found.values)}


def _asked(reading: str, found: GradeFile, own: dict[str, str]) -> tuple[str, str]:
    """Return what is wrong with the choice, or the meaning that was chosen."""
    if reading not in (*LEVELS, OWN):
        return "Choose what the values mean.", ""
    levels = own if reading == OWN else LEVELS[reading]
    unknown = [value for value, _ in found.values if levels.get(value) not in GRADES]
    if unknown and reading == OWN:
        return f"Choose a grade for {', '.join(unknown)} under My choice.", ""
    if unknown:
        return (
            f"This reading has no grade for {', '.join(unknown)}. Choose another reading,"
            " or choose the grades yourself.",
            "",
        )
    return "", reading if reading in LEVELS else " ".join(f"{value}={own[value]}" for value in own)


def _show(
    request: HttpRequest, setup: Setup, name: str, found: GradeFile, **context: Any
) -> HttpResponseBase:
    """The page; what was chosen before, or is typed now, is chosen again."""
    saved = meaning_of(setup.values, name)
    chosen = request.POST.get("reading", "") or (saved if saved in LEVELS or not saved else OWN)
    now = _own_levels(request, found) if request.method == "POST" else levels_of(saved)
    rows = [
        {
            "value": value,
            "count": count,
            "readings": [levels.get(value, "") for levels in LEVELS.values()],
            "own": now.get(value, ""),
        }
        for value, count in found.values
    ]
    context |= {
        "name": name,
        "unreadable": found.faults,
        "rows": rows,
        "grades": GRADES,
        "chosen": chosen,
        "seen": stamp(_parts(setup.values, name)),
    }
    return show(request, setup, "grades", step="files", **context)
