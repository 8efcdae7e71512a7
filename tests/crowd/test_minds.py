"""The minds alone, without any study: numbers, seconds, reasons and decisions."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from random import Random
from statistics import mean, median

import pytest

from evaluation.crowds import CROWDS, TYPICAL, Crowd
from judging.crowd.kinds import KINDS
from judging.crowd.mind import Mind, Reaction, traits_of
from judging.crowd.wording import DocumentText, TopicText, content_words
from judging.protocol.magnitude import parse
from judging.protocol.scales.magnitude import write_number

TOPIC = TopicText("Dense sourdough loaves", "Why does sourdough bread turn out dense?")
WORDS = "sourdough starter dough loaf oven crumb flour water " * 20
HIGH = DocumentText("A loaf", WORDS, TYPICAL.levels[-1])
LOW = DocumentText("A tide", WORDS.replace("dough", "tide"), 0.0)
ONLY = {
    "reader": replace(TYPICAL, lapses=0.0, spammers=0.0),
    "careless": replace(TYPICAL, lapses=0.5, spammers=0.0),
    "spammer": replace(TYPICAL, spammers=1.0),
}
"""Crowds in which most workers, or all, are of one kind."""


def minds_of(crowd: Crowd, number: int) -> list[Mind]:
    traits = traits_of(crowd, number, Random(crowd.name))
    return [Mind(one, Random(f"{crowd.name}/{n}"), least_seconds=20) for n, one in enumerate(traits)]


def minds(kind: str, number: int = 200) -> list[Mind]:
    return [mind for mind in minds_of(ONLY[kind], 2 * number) if mind.kind.name == kind][:number]


def inversions(kind: str) -> float:
    """The share of workers who do not find the highly relevant document the better one."""
    pairs = [
        (mind.opinion(TOPIC, HIGH, 0.0).value, mind.opinion(TOPIC, LOW, 0.0).value) for mind in minds(kind)
    ]
    return mean(high <= low for high, low in pairs)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_makes_the_same_worker(kind: str) -> None:
    first, second = ([mind.opinion(TOPIC, HIGH, 0.0) for mind in minds(kind, 5)] for _ in range(2))
    assert first == second
    assert len(set(first)) == 5


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_typed_reads_as_the_value_meant(kind: str) -> None:
    for mind in minds(kind):
        opinion = mind.opinion(TOPIC, HIGH, 0.0)
        assert parse(opinion.typed).value == pytest.approx(opinion.value)
        assert not opinion.slip or parse(opinion.slip).value is None
        assert opinion.justification.strip()


def test_people_type_fractions_and_decimal_commas() -> None:
    rng = Random(1)
    assert {write_number(0.5, rng, comma=False) for _ in range(100)} == {"0.5", "1/2"}
    assert write_number(3.7, rng, comma=True) == "3,7"
    assert write_number(1200.0, rng, comma=True) == "1200"


def test_the_traits_decide_the_kind() -> None:
    shares = Counter(mind.kind.name for mind in minds_of(TYPICAL, 1000))
    assert 0.015 < shares["spammer"] / 1000 < 0.045
    assert 0.04 < shares["careless"] / 1000 < 0.15
    assert not Counter(mind.kind.name for mind in minds_of(CROWDS["careful"], 500))["spammer"]


def test_inversions_of_the_kinds() -> None:
    """Readers take noise .82 to levels 1.8 apart, so one pair in ten turns round; spammers see no level."""
    assert 0.05 < inversions("reader") < 0.2
    assert inversions("reader") + 0.05 < inversions("careless") < 0.4 < inversions("spammer") < 0.65


def test_workers_differ_less_about_anchors() -> None:
    anchors = [replace(document, is_anchor=True) for document in (HIGH, LOW)]
    values = [[mind.opinion(TOPIC, one, 0.0).value for one in anchors] for mind in minds("reader")]
    assert mean(high <= low for high, low in values) < 0.05


def test_time_of_the_kinds() -> None:
    def short(kind: str) -> float:
        return mean(mind.opinion(TOPIC, HIGH, 1.0).seconds < 20 for mind in minds(kind))

    assert short("reader") < 0.02
    assert short("reader") < short("spammer") < 0.1


def test_workers_speed_up_over_a_unit() -> None:
    first, last = (mean(mind.opinion(TOPIC, HIGH, at).seconds for mind in minds("reader")) for at in (0, 1))
    assert first == pytest.approx(81, rel=0.12)
    assert last == pytest.approx(47, rel=0.12)


def test_reading_again_takes_less_time() -> None:
    again = [mind.opinion(TOPIC, HIGH, 0.0, again=True).seconds for mind in minds("reader")]
    assert median(again) < 50


def test_lines_in_order_pass_most_readers_and_few_spammers() -> None:
    def passing(kind: str) -> float:
        lines = [[parse(mind.line(length)).value or 0 for length in (150, 280, 520)] for mind in minds(kind)]
        return mean(short < middle < long for short, middle, long in lines)

    assert passing("reader") > 0.9 > passing("careless") > passing("spammer")


def test_options_are_found_by_their_text() -> None:
    reader = Counter(mind.option(["a", "b", "c", "d"], "c") for mind in minds("reader"))
    assert reader[2] > 180
    assert set(reader) <= {0, 1, 2, 3}
    spammer = Counter(mind.option(["a", "b", "c", "d"], "c") for mind in minds("spammer"))
    assert spammer[2] < 150


def test_inverting_turns_the_order_round_and_keeps_the_numbers() -> None:
    (mind,) = minds("spammer", 1)
    opinions = [mind.opinion(TOPIC, HIGH, 0.0) for _ in range(8)]
    turned = mind.inverted(opinions)
    assert sorted(item.value for item in turned) == sorted(item.value for item in opinions)
    assert [item.justification for item in turned] == [item.justification for item in opinions]
    top = max(range(8), key=lambda place: opinions[place].value)
    assert turned[top].value == min(item.value for item in opinions)


def test_workers_who_correct_take_more_care() -> None:
    corrected = [mind for mind in minds("reader") if mind.react() == Reaction.CORRECT]
    assert len(corrected) > 160
    assert all(mind.care < 1 and mind.traits.patience[0] == 1 for mind in corrected)
    reactions = Counter(mind.react() for mind in minds("spammer"))
    assert 60 < reactions[Reaction.INVERT] < 140
    assert not reactions[Reaction.CORRECT]


def test_words_are_those_of_the_text() -> None:
    assert content_words("The tide, the tide table and the moon; with the tide.")[0] == "tide"
    assert content_words("1 2 3") == ()
    blank = DocumentText("", "1 2 3", 0.0)
    assert all(mind.opinion(TOPIC, blank, 0.0).justification for mind in minds("reader", 20))


@pytest.mark.slow
def test_a_mind_needs_no_django() -> None:
    check = "import sys, judging.crowd.mind; print('django' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
