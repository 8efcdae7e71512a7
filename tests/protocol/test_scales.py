"""The declarations of scales: complete, in step with the library, and the only place that names a scale."""

import re
from random import Random

import pytest
from django.template.loader import get_template

from evaluation.scales import DEFAULT as LIBRARY_DEFAULT
from evaluation.scales import SCALES as LIBRARY
from judging.models import Study
from judging.protocol.checks.practice import CHECK, draw_lengths
from judging.protocol.scales import DEFAULT, SCALES, judging_on, only_from_files, with_ratios
from judging.protocol.scales.answers import compare
from judging.protocol.scales.scale import Scale
from judging.protocol.settings import SETTINGS
from tests.support.naming import ORDINARY, naming, sources
from tests.support.tree import ROOT

EVERY = pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES.keys())
FOLDERS = ("judging", "evaluation", "templates", "static")
EXEMPT = ("judging/protocol/scales", "evaluation/scales", "judging/migrations")
NAMES = {*SCALES, *LIBRARY}


@EVERY
def test_the_library_declares_the_scale_with_the_same_numbers(scale: Scale) -> None:
    library = LIBRARY[scale.library]
    assert (scale.smallest, scale.largest) == (library.smallest, library.largest)
    assert (scale.has_ratios, scale.axis) == (library.has_ratios, library.axis)


def test_both_have_the_same_default() -> None:
    assert SCALES[DEFAULT].library == LIBRARY_DEFAULT
    assert (SETTINGS["scale"].default, SETTINGS["scale"].options) == (DEFAULT, tuple(SCALES))
    assert judging_on(DEFAULT)


@EVERY
def test_the_database_can_store_every_number(scale: Scale) -> None:
    """The constraint of the model `Judgment` allows 0 and the numbers from 1e-100 to 1e100."""
    assert scale.smallest >= 0
    assert scale.largest <= 1e100
    assert scale.holds(scale.smallest)
    assert scale.holds(scale.largest)
    assert not any(map(scale.holds, (-1.0, float("inf"), float("nan"))))


@EVERY
def test_all_that_a_scale_names_exists(scale: Scale) -> None:
    get_template(scale.words.alpha)
    judging = scale.judging
    if judging is None:
        assert scale.words.file_only
        return
    get_template(judging.field)
    assert set(judging.instructions) <= set(SETTINGS)
    study = Study(scale=scale.name)
    values = [judging.parse(judging.examples[anchor], study).value for anchor in ("H", "N", "")]
    assert all(value is not None and scale.holds(value) for value in values)


@EVERY
def test_the_right_answers_pass_the_practice(scale: Scale) -> None:
    if scale.judging is None or (practice := scale.judging.practice) is None:
        return
    study = Study(scale=scale.name)
    for template in (practice.template, practice.field):
        get_template(template)
    for seed in range(100):
        lengths = draw_lengths(Random(seed))
        typed = [practice.right(lengths, line, study) for line in range(len(lengths))]
        numbers = [scale.judging.parse_practice(text, study).value for text in typed]
        assert None not in numbers
        assert CHECK.verdict(lengths, numbers, study).passed
        inverted = [max(numbers) + min(numbers) - number for number in numbers]
        assert not CHECK.verdict(lengths, inverted, study).passed


def test_workers_cannot_judge_where_numbers_come_only_from_files() -> None:
    assert only_from_files() == ["rating"]
    assert with_ratios() == ["magnitude"]
    with pytest.raises(ValueError, match="rating"):
        judging_on("rating")


@EVERY
def test_only_ratios_are_normalised_additively(scale: Scale) -> None:
    study = Study(scale=scale.name, allocation="adaptive")
    assert study.normalisation == ("additive" if scale.has_ratios else None)


@pytest.mark.parametrize(("high", "low", "order"), [(2, 1, "ordered"), (1, 1, "tied"), (1, 2, "inverted")])
def test_order_of_the_anchors(high: float, low: float, order: str) -> None:
    assert compare(high, low) == order


def test_no_code_but_the_declarations_names_a_scale() -> None:
    named = {
        str(path.relative_to(ROOT)): lines
        for path in sources(FOLDERS, ".py", exempt=EXEMPT)
        if (lines := naming(path.read_text(encoding="utf-8"), "scale", NAMES))
    }
    assert named == {}


def test_no_template_or_script_compares_a_scale() -> None:
    either = "|".join(sorted(NAMES))
    compared = re.compile(rf"""[!=]=+ ["']({either})["']|["']({either})["'] [!=]=""")
    ordinary = re.compile(rf"""\b(?!\w*scale)\w+ [!=]=+ ["']({"|".join(ORDINARY)})["']""")
    files = sources(FOLDERS, ".html", ".txt", ".js", exempt=EXEMPT)
    assert [path for path in files if compared.search(ordinary.sub("", path.read_text()))] == []


@pytest.mark.parametrize(
    "source",
    [
        'study.scale == "rating"',
        'scale in ("magnitude",)',
        'Study(scale="rating")',
        'def f(a, scale="magnitude"): ...',
        'match scale:\n    case "rating": ...',
        'study.scale == "grades"',
        'match scale:\n    case "grades": ...',
    ],
)
def test_a_named_scale_is_found(source: str) -> None:
    assert naming(source, "scale", NAMES)


def test_a_common_word_is_not_always_a_scale() -> None:
    assert not naming('file.kind == "grades"', "scale", NAMES)
