"""Drafts become studies: while one of them cannot, none loses a file."""

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_django import Settings


class Rows:
    """The drafts before they are converted, and a table that takes every row."""

    def __init__(self, drafts: list[SimpleNamespace]) -> None:
        self.objects, self._drafts = self, drafts

    def order_by(self, key: str) -> list[SimpleNamespace]:
        return self._drafts

    def create(self, **fields: Any) -> SimpleNamespace:
        return SimpleNamespace(pk=7)


def test_a_draft_that_cannot_be_stored_costs_no_other_its_files(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DRAFTS_FOLDER = tmp_path
    text = 'slug = "a"\ntitle = "A"\ninformation_file = "information.md"\n'
    drafts = [SimpleNamespace(pk=pk, text=text, serial=0, changed_at=None) for pk in (1, 2)]
    for draft in drafts:
        (tmp_path / str(draft.pk)).mkdir()
        (tmp_path / str(draft.pk) / "information.md").write_text("What it is.")
    migration = import_module("judging.migrations.0025_drafts_to_studies")

    def study_of(apps: Any, draft: SimpleNamespace, description: Any) -> SimpleNamespace:
        if draft.pk == 2:
            raise LookupError
        return SimpleNamespace()

    monkeypatch.setattr(migration, "study_of", study_of)
    with pytest.raises(LookupError):
        migration.convert(SimpleNamespace(get_model=lambda app, name: Rows(drafts)), None)
    assert [(tmp_path / str(draft.pk) / "information.md").is_file() for draft in drafts] == [True, True]
