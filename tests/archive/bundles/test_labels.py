"""Labels that were added from files come back with a bundle, to the last bit."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from judging.core.selectors.labels import families_of, labels_of_judges
from judging.models import Study
from judging.setup.study_files.importing import import_study
from judging.understanding.services.labels import add_labels
from tests.archive.bundles.conftest import exported, rows_of
from tests.archive.exports.conftest import add_run
from tests.factories import NOW, judge_unit, later, make_study, make_worker
from tests.support.databases import ON_SQLITE
from tests.support.integrity import broken_invariants


def labelled_study() -> Study:
    """A study with a run, and two sets of labels, one of which belongs to the run."""
    study = make_study()
    add_run(study, "run")
    judge_unit(make_worker(study))
    _add(study, "umbrela", "401 0 D401-N 0.1\n401 0 D401-H 1e22\n402 0 D402-H -3\n", ["run"])
    _add(study, "Another Ü", "402 0 D402-N 2\n402 0 outside 0.30000000000000004\n", [])
    return study


def _add(study: Study, name: str, lines: str, family: list[str]) -> None:
    add_labels(
        study=study, name=name, data=lines.encode(), file_name=f"{name}.qrels", family=family, now=later(5.25)
    )


def sets_of(study: Study) -> list[tuple[object, ...]]:
    return list(study.label_sets.values_list("name", "file", "sha256", "family", "added_at"))


@ON_SQLITE
def test_labels_come_back_to_the_last_bit(database: str, bundle: Path) -> None:
    study = labelled_study()
    bundle.write_bytes(exported(study, "bundle", "zip"))
    again = import_study(bundle, slug="again", now=NOW).study
    before, after = labels_of_judges(study), labels_of_judges(again)
    assert [*after] == [*before] == ["Another Ü", "umbrela"]
    assert all(after[name].table.equals(before[name].table) for name in before)
    assert sets_of(again) == sets_of(study)
    assert families_of(again) == {"run": "umbrela"}
    assert broken_invariants(again) == []
    assert rows_of(again) == rows_of(study)


@pytest.mark.django_db
def test_a_bundle_without_labels_lacks_their_file(bundle: Path) -> None:
    study = make_study()
    bundle.write_bytes(exported(study, "bundle", "zip"))
    with ZipFile(bundle) as whole:
        assert "labels.jsonl" not in whole.namelist()
    assert labels_of_judges(import_study(bundle, slug="again", now=NOW).study) == {}
