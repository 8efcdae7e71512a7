"""`platform.entry` in study files, forms, files written of stored studies, bundles and updates."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from judging.archive.catalogue import export_chunks
from judging.core.services.studies import open_study
from judging.models import Study
from judging.setup.steps import SECTIONS
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from judging.watching.selectors.consequences import consequences
from judging.worker.selectors.signed_links import secret_of
from judging.worker.services.links import make_secret
from tests.factories import NOW, judge_unit, later, make_study, make_worker
from tests.setup.intake.folder import StudyFolder
from tests.support.named import assert_names
from tests.worker.entry.conftest import links

INVITE = '[platform]\nentry = "invite"\n'
GENERIC = '[platform]\nplatform = "generic"\nid_parameter = "PID"\n'

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> StudyFolder:
    return StudyFolder(tmp_path)


def says(folder: StudyFolder, platform: str) -> None:
    folder.replace("study.toml", "[documents]", f"{platform}\n[documents]")


def stored() -> Study:
    return Study.objects.get(slug="small")


def test_without_the_key_everybody_may_begin(folder: StudyFolder) -> None:
    folder.imported()
    assert (stored().entry, stored().entry_key) == ("open", "")


@pytest.mark.parametrize("platform", [INVITE, GENERIC + 'entry = "signed"\n', GENERIC, "[platform]\n"])
def test_it_is_read_and_written_again(folder: StudyFolder, platform: str) -> None:
    says(folder, platform)
    study = folder.imported().study
    place = folder.path / "written"
    place.mkdir()
    again = import_study(write_study_folder(study, place), slug="again", now=NOW).study
    again.refresh_from_db()
    assert again.entry == stored().entry == ("open" if "entry" not in platform else platform.split('"')[-2])


@pytest.mark.parametrize(
    ("platform", "told"),
    [
        ('[platform]\nentry = "members"\n', "members"),
        (GENERIC + 'entry = "invite"\n', "invite"),
        ('[platform]\nentry = "signed"\n', "signed"),
        (GENERIC.replace("PID", "sig") + 'entry = "signed"\n', "sig"),
        (GENERIC + 'submission_parameter = "exp"\nentry = "signed"\n', "exp"),
    ],
)
def test_what_does_not_fit_is_told_by_line(folder: StudyFolder, platform: str, told: str) -> None:
    says(folder, platform)
    (fault,) = folder.faults()
    assert fault.startswith("study.toml:")
    assert "platform.entry: " in fault
    assert_names(fault.partition("platform.entry: ")[2], told)


def test_it_may_change_while_the_study_runs_and_who_is_in_goes_on(folder: StudyFolder) -> None:
    study = folder.imported().study
    open_study(study=study, now=later())
    study.refresh_from_db()
    worker = make_worker(study, upto="question")
    says(folder, INVITE)
    folder.imported(update=True)
    assert stored().entry == "invite"
    judge_unit(worker, now=later(hours=0.1))
    folder.replace("study.toml", INVITE, "[platform]\n")
    folder.imported(update=True)
    assert stored().entry == "open"


def test_an_update_leaves_the_secret_alone(folder: StudyFolder) -> None:
    says(folder, GENERIC + 'entry = "signed"\n')
    study = folder.imported().study
    secret = make_secret(study=study, now=NOW)
    folder.replace("study.toml", "A small study", "Another title")
    folder.imported(update=True)
    assert secret_of(stored()) == secret


def test_no_bundle_tells_links_or_secrets(tmp_path: Path) -> None:
    study = make_study(entry="invite", judgments_per_document=1)
    token = links(study)[0].partition("=")[2]
    Study.objects.update(entry_key="key-of-the-secret")
    study.refresh_from_db()
    bundle = b"".join(export_chunks(study, "bundle", "zip"))
    (tmp_path / "bundle.zip").write_bytes(bundle)
    again = import_study(tmp_path / "bundle.zip", slug="again", now=NOW).study
    again.refresh_from_db()
    assert (again.entry, again.entry_key, again.state) == ("open", "", "closed")
    members = unpacked(bundle)
    for secret in (token, "key-of-the-secret", "entry"):
        assert secret not in members


def unpacked(data: bytes) -> str:
    with ZipFile(BytesIO(data)) as bundle:
        return "".join(bundle.read(name).decode() for name in bundle.namelist())


def test_the_form_has_it_beside_the_platform() -> None:
    (field,) = [item for item in SECTIONS["terms"] if item.key == "entry"]
    assert field.options == ("open", "invite", "signed")


def test_before_a_study_opens_it_is_told_who_can_take_part(db: None) -> None:
    ways = [{}, {"entry": "invite"}, {"entry": "signed", "platform": "generic", "id_parameter": "PID"}]
    output = set()
    for number, given in enumerate(ways):
        study = make_study(slug=f"way-{number}", opened=False, **given)
        (sentence,) = [item for item in consequences(study, "open", now=NOW).sentences if "/s/way-" in item]
        assert_names(sentence, f"/s/{study.slug}/")
        output.add(sentence.replace(study.slug, ""))
    assert len(output) == len(ways)
