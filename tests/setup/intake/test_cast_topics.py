"""Topics of the Conversational Assistance Track, in the JSON of each year."""

import gzip
import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.core.faults import Faults, Where
from judging.setup.files import TOPICS, guess_format, upload_fault
from judging.setup.intake.column_maps import Format
from judging.setup.intake.content import TopicContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.topics import read_topic_file
from tests.setup.intake.folder import StudyFolder

YEARS: Final[dict[str, tuple[Any, list[tuple[str, ...]], set[str]]]] = {
    "2019": (
        [
            {
                "number": 31,
                "description": "About cancer.",
                "turn": [
                    {"number": 1, "raw_utterance": "What is throat cancer?"},
                    {"number": 2, "raw_utterance": "Is it treatable?"},
                ],
                "title": "Throat cancer",
            }
        ],
        [
            ("31_1", "What is throat cancer?", "", "Throat cancer\n\nAbout cancer."),
            ("31_2", "Is it treatable?", "", "Throat cancer\n\nAbout cancer."),
        ],
        set(),
    ),
    "2020": (
        [
            {
                "number": 81,
                "turn": [
                    {
                        "number": 1,
                        "raw_utterance": "How do you know?",
                        "manual_rewritten_utterance": "How do you know when a door opener is bad?",
                        "automatic_rewritten_utterance": "How do you know?",
                        "manual_canonical_result_id": "CAR_1",
                    }
                ],
            }
        ],
        [("81_1", "How do you know?", "How do you know when a door opener is bad?", "")],
        {"automatic_rewritten_utterance", "manual_canonical_result_id"},
    ),
    "2022": (
        [
            {
                "number": 132,
                "title": "Climate",
                "turn": [
                    {"number": "1-1", "participant": "User", "utterance": "What is COP26?"},
                    {"number": "1-2", "participant": "System", "response": "A meeting."},
                    {"number": "1-3", "participant": "User", "utterance": "And\nnow?"},
                ],
            }
        ],
        [("132_1-1", "What is COP26?", "", "Climate"), ("132_1-3", "And now?", "", "Climate")],
        {"response"},
    ),
}


def read(path: Path) -> tuple[list[TopicContent], Faults]:
    faults = Faults()
    source = SourceFile(path, Where("study.toml", 1), "path", faults, "utf-8")
    return list(read_topic_file(source, Format("cast"))), faults


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("year", YEARS)
def test_each_turn_is_a_topic(tmp_path: Path, year: str, pack: Any, indent: int | None) -> None:
    content, expected, left_out = YEARS[year]
    path = tmp_path / "topics.json"
    path.write_bytes(pack(json.dumps(content, indent=indent).encode()))
    assert (guess_format(path, TOPICS), upload_fault(path, TOPICS)) == ("cast", None)
    topics, faults = read(path)
    assert [(topic.number, topic.title, topic.description, topic.narrative) for topic in topics] == expected
    assert faults.listed == []
    assert {str(notice.values["key"]) for notice in faults.notices} == left_out


FAULTY: Final = {
    '[\n{"number": 1, "turn": [{"number": 1}]}\n]': "2: turn[0].raw_utterance: ",
    '[{"number": 1,\n"turn": [{"raw_utterance": "x"}]}]': "1: turn[0].number: ",
    '[{"number": 1, "turn": ["x"]}]': "1: turn[0]: ",
    '[\n{"turn": []}]': "2: number: ",
    '[{"number": 1.5, "turn": []}]': "1: number: ",
    '[{"number": "a b", "turn": []}]': "1: number: ",
    '[{"number": 1, "turn": [{"number": true, "raw_utterance": "x"}]}]': "1: turn[0].number: ",
    '[{"number": 1}]': "1: turn: ",
    "[1, 2]": "1: turn: ",
    '[{"number": 1, "turn": []},\n{"number" 2}]': "2: ",
    '[{"number": 1, "turn": []}]': "1: ",
    "[" * 100_000: "1: ",
    f'[{{"number": {"9" * 5000}, "turn": []}}]': "1: ",
}


@pytest.mark.parametrize(("text", "place"), FAULTY.items(), ids=range(len(FAULTY)))
def test_a_fault_has_its_line_and_field(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "topics.json"
    path.write_text(text)
    topics, faults = read(path)
    assert topics == []
    assert [str(fault).startswith(f"{path}:{place}") for fault in faults.listed][:1] == [True]


TEXTS: Final = st.text("ab\u00e9 ?", min_size=1).filter(str.strip)


@given(
    st.lists(
        st.tuples(st.integers(0, 99), st.lists(TEXTS, max_size=4)),
        max_size=4,
        unique_by=lambda entry: entry[0],
    )
)
def test_no_turn_is_lost(tmp_path_factory: pytest.TempPathFactory, conversations: list[Any]) -> None:
    """The law: there are as many topics as utterances, in their order, whatever the file looks like."""
    path = tmp_path_factory.getbasetemp() / "topics.json"
    content = [
        {"number": number, "turn": [{"number": i, "raw_utterance": text} for i, text in enumerate(texts, 1)]}
        for number, texts in conversations
    ]
    path.write_text(json.dumps(content))
    topics, _faults = read(path)
    expected = [
        (f"{number}_{i}", " ".join(text.split()))
        for number, texts in conversations
        for i, text in enumerate(texts, 1)
    ]
    assert [(topic.number, topic.title) for topic in topics] == expected


@pytest.mark.django_db
def test_a_study_file_can_name_the_format(folder: StudyFolder) -> None:
    turns = [{"number": 1, "raw_utterance": "First?"}, {"number": 2, "raw_utterance": "Second?"}]
    folder.write("topics.json", json.dumps([{"number": 7, "turn": turns}]))
    folder.replace("study.toml", 'format = "trec"', 'format = "cast"')
    folder.replace("study.toml", 'path = "topics.txt"', 'path = "topics.json"')
    missing = [fault for fault in folder.faults() if fault.startswith("topics.json")]
    assert missing == [
        f"topics.json:1: question: Topic 7_{turn} has no question. Add one." for turn in (1, 2)
    ]
