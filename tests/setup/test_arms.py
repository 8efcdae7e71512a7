"""A study file with arms: the same study several times, side by side."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from judging.core.faults import StudyRefusedError
from judging.core.selectors.arms import arms_of
from judging.core.services.errors import RefusedError
from judging.core.services.studies import open_study
from judging.models import Judgment, Membership, PoolDocument, Study, UnitDocument
from judging.protocol.settings import SETTINGS
from judging.setup.making import copy_study, get_or_create_setup
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_study_folder
from tests.factories import NOW
from tests.setup.driving import Driver, zipped
from tests.setup.intake.folder import StudyFolder
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.django_db
ANCHOR = ("topic__number", "anchor", "document__document_id")
ARMS = """
[[arms]]
name = "plain"

[[arms]]
name = "quick"
instructions_task = "Judge quickly."
checks.seconds_per_document = 5
pay.expected_minutes = 4

[[arms]]
name = "strict"
[arms.checks]
anchor_ties = "pass"
[arms.units]
numbers = "decimals"
"""


@pytest.fixture
def armed(folder: StudyFolder) -> StudyFolder:
    folder.write("study.toml", folder.read("study.toml") + ARMS)
    return folder


def plan(study: Study) -> list[tuple[str, int, str]]:
    """The documents of every unit, by topic and number."""
    rows = UnitDocument.objects.filter(unit__topic__study=study)
    names = ("unit__topic__number", "unit__number", "pool_document__document__document_id")
    return sorted(rows.values_list(*names))


def settings_of(study: Study) -> dict[str, object]:
    return {key: getattr(study, key) for key in SETTINGS}


def test_each_arm_is_a_study_and_the_first_is_the_front(armed: StudyFolder) -> None:
    front = import_study(armed.path, now=NOW).study
    arms = arms_of(front)
    assert [(arm.slug, arm.arm, arm.front) for arm in arms] == [
        ("small", "plain", None),
        ("small-quick", "quick", front),
        ("small-strict", "strict", front),
    ]
    assert [arm.seconds_per_document for arm in arms] == [20, 5, 20]
    assert [arm.expected_minutes for arm in arms] == [10, 4, 10]
    assert [arm.anchor_ties for arm in arms] == ["fail", "fail", "pass"]
    assert [arm.numbers for arm in arms] == ["any", "any", "decimals"]
    assert arms[1].instructions_task == "Judge quickly."
    assert all(arms_of(arm) == arms for arm in arms)


def test_all_arms_have_the_same_units_and_anchors(armed: StudyFolder) -> None:
    front = import_study(armed.path, now=NOW).study
    open_study(study=front, now=NOW)
    first, *others = [plan(arm) for arm in arms_of(front)]
    assert first
    assert all(other == first for other in others)
    anchors = [
        set(PoolDocument.objects.filter(topic__study=arm).exclude(anchor="").values_list(*ANCHOR))
        for arm in arms_of(front)
    ]
    assert anchors[0]
    assert anchors == [anchors[0]] * 3
    assert not [fault for arm in arms_of(front) for fault in broken_invariants(arm)]


def test_a_study_without_arms_is_its_own_only_arm(folder: StudyFolder) -> None:
    study = import_study(folder.path, now=NOW).study
    assert not study.has_arms
    assert arms_of(study) == [study]


@pytest.mark.parametrize("written", ["front", "arm"])
def test_the_study_file_of_stored_arms_gives_the_same_arms(
    armed: StudyFolder, tmp_path: Path, written: str
) -> None:
    front = import_study(armed.path, now=NOW).study
    source = front if written == "front" else arms_of(front)[1]
    place = tmp_path / "again"
    place.mkdir()
    again = import_study(write_study_folder(source, place, slug="again"), now=NOW).study
    assert [arm.slug for arm in arms_of(again)] == ["again", "again-quick", "again-strict"]
    assert list(map(settings_of, arms_of(again))) == list(map(settings_of, arms_of(front)))


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('name = "quick"', 'name = "quick"\nseed = 8', "arms.seed"),
        ('name = "quick"', 'name = "quick"\nunits.unit_size = 9', "arms.units.unit_size"),
        ('name = "quick"', 'name = "quick"\nplatform.entry = "invite"', "arms.platform"),
        ('name = "quick"', 'name = "quick"\nconsent = "Yes."', "arms.consent"),
        ('name = "quick"', 'name = "quick"\nscael = "rating"', "arms.scael"),
        ('name = "quick"', 'name = "plain"', "arms.name"),
        ('name = "quick"', 'name = "PLAIN"', "arms.name"),
        ('name = "quick"', 'name = "two words"', "arms.name"),
        ('name = "quick"', 'name = "-"', "arms.name"),
        ('name = "quick"', f'name = "{"q" * 21}"', "arms.name"),
        ('name = "quick"\n', "", "arms.name"),
        ("seconds_per_document = 5", "seconds_per_document = -5", "checks.seconds_per_document"),
        ('numbers = "decimals"', 'numbers = "some"', "units.numbers"),
        (
            'instructions_task = "Judge quickly."',
            'instructions_task_file = "gone.md"',
            "instructions_task_file",
        ),
        ("expected_minutes = 4", 'expected_minutes = 4\nscale = "rating"', "scale"),
        ("[documents]", 'allocation = "adaptive"\n[documents]', "units.allocation"),
    ],
)
def test_a_fault_in_an_arm_names_its_line_and_nothing_is_imported(
    armed: StudyFolder, old: str, new: str, field: str
) -> None:
    armed.replace("study.toml", old, new)
    with pytest.raises(StudyRefusedError) as refusal:
        import_study(armed.path, now=NOW)
    place = re.compile(rf"{re.escape(str(armed.path / 'study.toml'))}:\d+: {re.escape(field)}: ")
    assert any(place.match(line) for line in refusal.value.lines), refusal.value.lines
    assert not Study.objects.exists()


def test_a_fault_that_all_arms_share_is_told_once(armed: StudyFolder) -> None:
    armed.replace("study.toml", "judgments_per_document = 3", "judgments_per_document = 0")
    with pytest.raises(StudyRefusedError) as refusal:
        import_study(armed.path, now=NOW)
    assert len(refusal.value.lines) == 1


def test_one_arm_is_too_few(folder: StudyFolder) -> None:
    folder.write("study.toml", folder.read("study.toml") + '\n[[arms]]\nname = "only"\n')
    with pytest.raises(StudyRefusedError):
        import_study(folder.path, now=NOW)


def test_a_preset_of_an_arm_must_keep_what_arms_share(armed: StudyFolder) -> None:
    armed.replace("study.toml", 'name = "quick"', 'name = "quick"\npreset = "turpin2015"')
    with pytest.raises(StudyRefusedError) as refusal:
        import_study(armed.path, now=NOW)
    assert any("units.topic_choice" in line for line in refusal.value.lines)
    shared = 'topic_choice = "uniform"\n[documents]'
    armed.replace("study.toml", "[documents]", shared)
    with pytest.raises(StudyRefusedError) as refusal:
        import_study(armed.path, now=NOW)
    assert not any("units.topic_choice" in line for line in refusal.value.lines)


def test_a_slug_of_an_arm_that_is_taken_refuses_all(armed: StudyFolder, folder: StudyFolder) -> None:
    import_study(armed.path, slug="small-quick", now=NOW)
    with pytest.raises(StudyRefusedError) as refusal:
        import_study(armed.path, now=NOW)
    assert "small-quick" in str(refusal.value)
    assert not Study.objects.filter(slug="small").exists()


@pytest.mark.parametrize("how", ["update", "replace"])
def test_arms_are_not_updated(armed: StudyFolder, how: str) -> None:
    import_study(armed.path, now=NOW)
    with pytest.raises(StudyRefusedError) as refusal:
        import_study(armed.path, now=NOW, **{how: True})
    assert len(refusal.value.lines) == 1


def test_arms_have_no_set_up_in_the_console(armed: StudyFolder) -> None:
    front = import_study(armed.path, now=NOW).study
    for study in arms_of(front):
        with pytest.raises(RefusedError):
            get_or_create_setup(study=study, now=NOW)
        with pytest.raises(RefusedError):
            copy_study(study=study, slug="copy", owner=None, now=NOW)
    assert Study.with_hidden.count() == 3


@pytest.mark.django_db(transaction=True)
def test_an_uploaded_study_file_with_arms_is_imported(armed: StudyFolder, driver: Driver) -> None:
    driver.upload_study("small.zip", zipped(armed.path))
    front = Study.objects.get(slug="small")
    assert [arm.arm for arm in arms_of(front)] == ["plain", "quick", "strict"]
    assert Membership.objects.filter(study=front, role="owner").count() == 1


def test_the_command_says_how_many_arms(armed: StudyFolder, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("import_study", str(armed.path))
    assert "3 arms" in capsys.readouterr().out


# --- for analysis ------------------------------------------------------------------------------------------

ANALYSIS = """\
slug = "scales"
title = "Four scales"
purpose = "analysis"

[judgments]
path = "judgments.csv"

[[run]]
path = "good.run"

[[run]]
path = "poor.run"

[[arms]]
name = "S4"
scale = "rating"
judgments.only = {{ relevance_scale = "S4" }}

[[arms]]
name = "S100"
scale = "rating"
judgments.only = {{ relevance_scale = "S100" }}

[[arms]]
name = "magnitude"
{magnitude}
"""


def write_scales(folder: StudyFolder, *, own_file: bool) -> None:
    """Judgments of the same documents on three scales, in one file or with a file of its own for the last."""
    header = "topic_id,unit_id,document_id,gold,doc_pos,worker_id,relevance_score,relevance_scale"
    factors = {"S4": (0, 1, 2, 3), "S100": (5, 30, 70, 95), "ME": (1, 4, 9, 30)}
    lines = {
        scale: [
            f"007,{scale}-{worker},007-{letter},{gold},{place},{scale}-w{worker},{values[3 - place]},{scale}"
            for worker in range(3)
            for place, (letter, gold) in enumerate([("H", "H"), ("R", ""), ("M", ""), ("N", "N")])
        ]
        for scale, values in factors.items()
    }
    alone = lines.pop("ME") if own_file else []
    together = [row for rows in lines.values() for row in rows]
    folder.write("judgments.csv", "\n".join([header, *together]) + "\n")
    if own_file:
        folder.write("magnitudes.csv", "\n".join([header, *alone]) + "\n")
    path = 'judgments.path = "magnitudes.csv"\n' if own_file else ""
    magnitude = f'{path}judgments.only = {{ relevance_scale = "ME" }}'
    folder.write("study.toml", ANALYSIS.format(magnitude=magnitude))


@pytest.mark.parametrize("own_file", [False, True])
def test_published_judgments_on_several_scales_become_arms(folder: StudyFolder, own_file: bool) -> None:
    write_scales(folder, own_file=own_file)
    imported = import_study(folder.path, now=NOW)
    arms = arms_of(imported.study)
    assert [(arm.slug, arm.scale, arm.state) for arm in arms] == [
        ("scales", "rating", "closed"),
        ("scales-S100", "rating", "closed"),
        ("scales-magnitude", "magnitude", "closed"),
    ]
    assert imported.judgments == 36
    numbers = [Judgment.objects.filter(pool_document__topic__study=arm) for arm in arms]
    largest = [max(of_arm.values_list("number", flat=True)) for of_arm in numbers]
    assert largest == [3, 95, 30]
    assert not [fault for arm in arms for fault in broken_invariants(arm)]
