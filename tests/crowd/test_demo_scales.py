"""`demo --scales`: the sample judged on every scale on which workers can judge, side by side."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError

from judging.core.selectors.arms import arms_of
from judging.crowd.simulation import Crowd, prepare, simulate, start_of
from judging.management.commands.demo import SAMPLE
from judging.management.demo_scales import judged_scales, scales_lines, study_of_scales
from judging.models import Study
from judging.protocol.scales import SCALES
from judging.setup.study_files.importing import import_study
from tests.factories import NOW

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def front() -> Iterator[Study]:
    with study_of_scales(SAMPLE) as file:
        yield import_study(file, slug="scales", now=NOW).study


def test_there_is_an_arm_for_each_scale(front: Study) -> None:
    assert [arm.scale for arm in arms_of(front)] == judged_scales()
    assert [arm.arm for arm in arms_of(front)] == judged_scales()


def test_one_scale_alone_is_nothing_to_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in judged_scales()[1:]:
        monkeypatch.setitem(SCALES, name, replace(SCALES[name], judging=None))
    with pytest.raises(CommandError), study_of_scales(SAMPLE):
        pass
    assert not Study.objects.exists()


@pytest.mark.slow
def test_the_crowd_judges_all_arms_and_the_command_compares_them(front: Study, tmp_path: Path) -> None:
    start = start_of(front)
    prepare(front, start)
    front.refresh_from_db()
    simulate(front, Crowd(30 * len(judged_scales()), seed=1), start)
    lines = scales_lines(front)
    heading, *rows = lines[2 : 3 + front.runs.count()]
    assert heading.split() == ["run", *judged_scales()]
    assert sorted(row.split()[0] for row in rows) == sorted(front.runs.values_list("tag", flat=True))
    assert all(0 < float(cell) <= 1 for row in rows for cell in row.split()[1:])
    sentences = lines[3 + front.runs.count() :]
    assert len(sentences) == 3
    assert all(name in sentences[0] for name in judged_scales())
