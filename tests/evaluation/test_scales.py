"""The declarations of scales, and what reads them."""

import argparse
from dataclasses import replace
from types import ModuleType
from typing import get_args

import numpy as np
import pytest

from evaluation.cli import gains as gains_command
from evaluation.cli import normalise as normalise_command
from evaluation.cli import report as report_command
from evaluation.columns import refuse_outside
from evaluation.comparison import alpha_of_magnitudes, krippendorff_alpha
from evaluation.conventions import Statistic
from evaluation.frames import Judgments
from evaluation.magnitudes import gains, methods_of, normalise
from evaluation.magnitudes.document_gains import FUNCTIONS, Median
from evaluation.magnitudes.normalisation import Method
from evaluation.origin import NO_FILE
from evaluation.report.needs import Facts, ratios
from evaluation.report.sections.judgments import JUDGMENTS
from evaluation.scales import DEFAULT, SCALES, default_methods, default_statistics
from evaluation.scales.scale import Scale
from evaluation.text import Text
from tests.evaluation.refusals import refused

PLACES = (("u", "a", "b"), ("u", "b", "a"), ("v", "a", "b"), ("v", "b", "a"))
EVERY = pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES.keys())


@EVERY
def test_a_scale_names_only_methods_and_statistics_that_exist(scale: Scale) -> None:
    assert set(scale.normalisations) <= set(get_args(Method))
    assert list(methods_of(scale)) == list(scale.normalisations)
    assert set(scale.statistics) <= set(FUNCTIONS) == set(get_args(Statistic))
    assert set(scale.ratio_statistics) <= set(scale.statistics)
    assert set(scale.medians) <= set(get_args(Median))
    assert scale.medians[0] == get_args(Median)[0]


@EVERY
def test_the_faults_of_a_scale_find_all_numbers_beyond_its_bounds(scale: Scale) -> None:
    inside = np.array([scale.smallest, (scale.smallest + scale.largest) / 2, scale.largest])
    refuse_outside(scale, "number", inside, NO_FILE)
    for value in (np.nan, np.inf, -np.inf, -1.0, np.nextafter(scale.largest, np.inf)):
        codes = tuple(fault.error("", "number", "0").code for fault in scale.faults)
        with refused(codes, "number", at="row 2"):
            refuse_outside(scale, "number", np.array([scale.largest, value]), NO_FILE)


@EVERY
def test_judgments_on_every_scale_are_normalised_and_become_gains(scale: Scale) -> None:
    numbers = (1, 4, 2, 6) if scale.largest > 1 else (1, 0, 0.5, 1)
    rows = [
        {"topic_id": "1", "unit_id": unit, "document_id": one, "relevance_score": number}
        | ({"compared_with": other} if scale.compares_pairs else {})
        for number, (unit, one, other) in zip(numbers, PLACES, strict=True)
    ]
    judgments = Judgments(rows, scale=scale.name)
    default = normalise(judgments)
    assert default.tolist() == normalise(judgments, scale.normalisations[0]).tolist()
    assert scale.numbers in repr(judgments)
    for statistic in FUNCTIONS:
        if statistic in scale.statistics:
            assert len(gains(judgments, default, statistic).table) == 2
        else:
            with refused("statistic-of-another-scale"):
                gains(judgments, default, statistic)


@pytest.mark.parametrize("command", [normalise_command, gains_command, report_command])
def test_the_commands_offer_every_scale(command: ModuleType) -> None:
    parser = argparse.ArgumentParser()
    command.arguments(parser)
    (option,) = (action for action in parser._actions if "--scale" in action.option_strings)
    assert (option.choices, option.default) == (tuple(SCALES), DEFAULT)


def test_help_names_the_default_method_of_every_scale() -> None:
    for text, first in ((default_methods(), "normalisations"), (default_statistics(), "statistics")):
        for scale in SCALES.values():
            assert f"{getattr(scale, first)[0]} for {scale.numbers}" in text


def test_only_a_scale_with_ratios_can_do_without_words_for_their_lack() -> None:
    with pytest.raises(ValueError, match="without_ratios"):
        replace(SCALES[DEFAULT], level="ordinal")


@EVERY
def test_the_report_says_why_parts_are_missing(scale: Scale) -> None:
    facts = Facts(1, 1, 1, 1, ("grades",), scale=scale)
    assert (ratios(facts) is None) == scale.has_ratios
    distribution = next(part for part in JUDGMENTS.parts if part.key == "distribution")
    assert isinstance(distribution.reading_of(facts), Text)


def test_agreement_has_the_level_of_the_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = SCALES["rating"]
    monkeypatch.setitem(SCALES, "rating", replace(ratings, level="ordinal"))
    rows = [("1", "u", "a", 0), ("1", "u", "b", 3), ("1", "v", "a", 1), ("1", "v", "b", 90)]
    judgments = Judgments(rows, scale="rating")
    values = judgments.magnitudes
    expected = krippendorff_alpha(["a", "b", "a", "b"], values, "ordinal")
    assert expected != krippendorff_alpha(["a", "b", "a", "b"], values, "interval")
    assert alpha_of_magnitudes(judgments, values).row(-1, named=True)["alpha"] == pytest.approx(expected)
