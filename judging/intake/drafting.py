"""Drafts: what the forms of the console change is the text of a study file, and the files in its folder."""

import tomllib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from secrets import randbelow
from shutil import rmtree
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify

from judging.intake.faults import Faults, Where
from judging.intake.files import SourceFile
from judging.intake.importing import FILE_NAME
from judging.intake.paths import Paths
from judging.intake.tables import parse_decimal, read_study_file
from judging.intake.toml_writer import toml_text
from judging.models import Draft

Values = dict[str, Any]
_MOST_SEEDS: Final = 10_000


def folder_of(draft: Draft) -> Path:
    """Where a draft's files lie."""
    return Path(settings.DRAFTS_FOLDER) / str(draft.pk)


def values_of(draft: Draft) -> Values:
    """The values of a draft's study file."""
    return tomllib.loads(draft.text, parse_float=parse_decimal)


def begin_draft(*, owner: Any, slug: str, title: str, now: datetime) -> Draft:
    """An empty study: a name, a title, and a seed drawn once and for all."""
    values: Values = {"slug": slug, "title": title, "seed": 1 + randbelow(_MOST_SEEDS)}
    return _create(owner, values, now)


def draft_of_folder(*, owner: Any, folder: Path, slug: str | None = None, now: datetime) -> Draft:
    """Take a folder with a `study.toml` over as a draft; the folder is moved and is gone afterwards.

    Raises StudyRefusedError where its study file cannot be read as TOML.
    """
    faults = Faults()
    top = read_study_file(folder / FILE_NAME, faults)
    faults.raise_if_any()
    assert top is not None
    text = SourceFile(folder / FILE_NAME, Where(FILE_NAME), "", faults).text()
    values = tomllib.loads(text, parse_float=parse_decimal)
    name = slug or values.get("slug") or slugify(str(values.get("title", "")))[:60] or "study"
    _take_in_texts(values, folder)
    values = {"slug": name, **{key: value for key, value in values.items() if key != "slug"}}
    with transaction.atomic():
        draft = _create(owner, values, now)
        place = folder_of(draft)
        rmtree(place)
        folder.rename(place)
        lay_out(draft)
    return draft


def change_draft(
    *, draft: Draft, change: Callable[[Values], object] = lambda values: None, now: datetime
) -> Draft:
    """Let `change` alter the values of the study file, one at a time; also told when only a file changed."""
    with transaction.atomic():
        locked = Draft.objects.select_for_update(no_key=True).get(pk=draft.pk)
        values = values_of(locked)
        change(values)
        locked.text = toml_text(values)
        locked.serial += 1
        locked.changed_at = now
        locked.save(update_fields=["text", "serial", "changed_at"])
        lay_out(locked)
    return locked


def drop_draft(*, draft: Draft) -> None:
    """Take a draft away with its files; the study made of it stays."""
    place = folder_of(draft)
    draft.delete()
    rmtree(place, ignore_errors=True)


def lay_out(draft: Draft) -> Path:
    """Put the study file into the draft's folder; returns its path."""
    place = folder_of(draft)
    place.mkdir(parents=True, exist_ok=True)
    beside = place / f".{FILE_NAME}.new"
    beside.write_text(draft.text, encoding="utf-8", newline="")
    return beside.rename(place / FILE_NAME)


def _take_in_texts(values: Values, folder: Path) -> None:
    """Texts that stand in files of their own come into the study file, where forms can change them."""
    for key in ("information", "consent", "instructions_magnitude", "instructions_task"):
        name = values.get(f"{key}_file")
        file = Paths(folder, enclosed=True).at(str(name), Where(FILE_NAME), key, faults := Faults())
        text = file.text().strip() if name and file else ""
        if text and not faults.count and key not in values:
            values[key] = text
            del values[f"{key}_file"]


def _create(owner: Any, values: Values, now: datetime) -> Draft:
    draft = Draft.objects.create(owner=owner, text=toml_text(values), created_at=now, changed_at=now)
    rmtree(folder_of(draft), ignore_errors=True)  # left by a row of the same number that is gone
    lay_out(draft)
    return draft
