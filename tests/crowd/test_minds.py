"""The minds alone, without any study: numbers, seconds, reasons and decisions."""

import subprocess
import sys
from collections import Counter
from math import log
from random import Random
from statistics import median

import pytest

from judging.crowd.kinds import DEFAULT_MIX, KINDS, Reaction, assign_kinds, parse_mix
from judging.crowd.mind import HIGHEST, Mind
from judging.crowd.numbers import Taste, favourite, write_number
from judging.crowd.wording import DocumentText, TopicText, content_words
from judging.protocol.magnitude import parse

TOPIC = TopicText("Dense sourdough loaves", "Why does sourdough bread turn out dense?")
WORDS = "sourdough starter dough loaf oven crumb flour water " * 20
HIGH = DocumentText("A loaf", WORDS, HIGHEST)
LOW = DocumentText("A tide", WORDS.replace("dough", "tide"), 1.0)


def minds(kind: str, number: int = 200, least_seconds: float = 20) -> list[Mind]:
    return [Mind(KINDS[kind], Random(f"{kind}/{n}"), least_seconds=least_seconds) for n in range(number)]


def inversions(kind: str) -> float:
    """The share of workers who do not find the highly relevant document the better one."""
    pairs = [(mind.opinion(TOPIC, HIGH).value, mind.opinion(TOPIC, LOW).value) for mind in minds(kind)]
    return sum(high <= low for high, low in pairs) / len(pairs)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_makes_the_same_worker(kind: str) -> None:
    first, second = ([mind.opinion(TOPIC, HIGH) for mind in minds(kind, 5)] for _ in range(2))
    assert first == second
    assert len(set(first)) == 5


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_typed_reads_as_the_value_meant(kind: str) -> None:
    for mind in minds(kind):
        opinion = mind.opinion(TOPIC, HIGH)
        assert parse(opinion.typed).value == pytest.approx(opinion.value)
        assert not opinion.slip or parse(opinion.slip).value is None
        assert opinion.justification.strip()


@pytest.mark.parametrize("taste", Taste)
def test_favourite_numbers_are_near_and_short(taste: Taste) -> None:
    rng = Random(1)
    for _ in range(500):
        value = rng.lognormvariate(1.5, 2.5)
        chosen = favourite(value, taste)
        assert abs(log(chosen / value)) < 0.36  # half of the widest step, from 1 to 2 or 5 to 10 below 0.35
        assert len(f"{chosen:e}".split("e")[0].rstrip("0")) <= 3
        assert favourite(chosen, taste) == chosen


def test_people_type_fractions_and_decimal_commas() -> None:
    rng = Random(1)
    assert {write_number(0.5, rng, comma=False) for _ in range(100)} == {"0.5", "1/2"}
    assert write_number(3.7, rng, comma=True) == "3,7"
    assert write_number(1200.0, rng, comma=True) == "1200"


def test_ranges_of_the_kinds() -> None:
    ratio = {
        kind: median(mind.opinion(TOPIC, HIGH).value / mind.opinion(TOPIC, LOW).value for mind in minds(kind))
        for kind in KINDS
    }
    assert ratio["narrow"] < 3.5 < ratio["careful"] < 7 < ratio["wide"]
    assert 0.5 < ratio["spammer"] < 2


def test_inversions_of_the_kinds() -> None:
    assert max(inversions(kind) for kind in ("careful", "narrow", "wide")) < 0.04
    assert inversions("careless") < 0.25 < 0.4 < inversions("spammer")


def test_time_of_the_kinds() -> None:
    def short(kind: str) -> float:
        return sum(mind.opinion(TOPIC, HIGH).seconds < 20 for mind in minds(kind)) / 200

    assert short("careful") < 0.02
    assert 0.02 < short("careless") < 0.3 < short("spammer")


def test_lines_in_order_pass_most_careful_workers_and_few_spammers() -> None:
    def passing(kind: str) -> int:
        lines = [[parse(mind.line(length)).value or 0 for length in (150, 280, 520)] for mind in minds(kind)]
        return sum(short < middle < long for short, middle, long in lines)

    assert passing("careful") > 190 > passing("careless") > 120 > passing("spammer")


def test_options_are_found_by_their_text() -> None:
    careful = Counter(mind.option(["a", "b", "c", "d"], "c") for mind in minds("careful"))
    assert careful[2] > 180
    assert set(careful) <= {0, 1, 2, 3}
    spammer = Counter(mind.option(["a", "b", "c", "d"], "c") for mind in minds("spammer"))
    assert spammer[2] < 130


def test_inverting_turns_the_order_round_and_keeps_the_numbers() -> None:
    (mind,) = minds("spammer", 1)
    opinions = [mind.opinion(TOPIC, HIGH) for _ in range(8)]
    turned = mind.inverted(opinions)
    assert sorted(item.value for item in turned) == sorted(item.value for item in opinions)
    assert [item.justification for item in turned] == [item.justification for item in opinions]
    top = max(range(8), key=lambda place: opinions[place].value)
    assert turned[top].value == min(item.value for item in opinions)


def test_who_mends_takes_more_care() -> None:
    mended = [mind for mind in minds("careless") if mind.react() == Reaction.CORRECT]
    assert len(mended) > 100
    assert all(mind.patience >= 0.997 and mind.noise < 0.6 * 1.8 * 0.6 for mind in mended)
    assert not [mind for mind in minds("spammer") if mind.react() == Reaction.CORRECT]


def test_words_are_those_of_the_text() -> None:
    assert content_words("The tide, the tide table and the moon; with the tide.")[0] == "tide"
    assert content_words("1 2 3") == ()
    blank = DocumentText("", "1 2 3", 1.0)
    assert all(mind.opinion(TOPIC, blank).justification for mind in minds("careful", 20))


def test_a_mix_is_dealt_by_largest_remainders() -> None:
    crowd = assign_kinds(DEFAULT_MIX, 60, Random(1))
    counts = Counter(kind.name for kind in crowd)
    assert counts == {"careful": 42, "narrow": 7, "wide": 7, "careless": 3, "spammer": 1}
    assert [kind.name for kind in assign_kinds(DEFAULT_MIX, 60, Random(2))] != [kind.name for kind in crowd]


def test_mixes_are_read_or_refused_in_a_sentence() -> None:
    assert parse_mix("careful=3, spammer=1") == {"careful": 3, "spammer": 1}
    for text, named in (
        ("clever=1", "clever"),
        ("careful=x", "careful"),
        ("careful=1,careful=2", "careful"),
    ):
        with pytest.raises(ValueError, match=named):
            parse_mix(text)
    for text in ("careful=0", ""):
        with pytest.raises(ValueError):  # noqa: PT011 - there is no name to find
            parse_mix(text)


@pytest.mark.slow
def test_a_mind_needs_no_django() -> None:
    check = "import sys, judging.crowd.mind; print('django' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
