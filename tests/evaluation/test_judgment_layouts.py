"""Files of judgments from other platforms are read by a map of their columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.files.judgment_layouts import COLUMNS, arranged, layout_of
from evaluation.origin import Origin
from evaluation.parsing.judgment_table import JudgmentTable, read_table
from tests.evaluation.refusals import refused

BATCH = """HITId,AssignmentId,WorkerId,AssignmentStatus,Input.topic,Input.doc1,Input.doc2,Answer.n1,Answer.n2
h1,a1,w1,Approved,401,d1,d2,10,20
h1,a2,w2,Rejected,401,d1,d2,1,1
h1,a3,w3,Approved,402,d3,,0.5,
"""
MTURK = {
    "topic_id": "Input.topic",
    "document_id": "Input.doc{n}",
    "relevance_score": "Answer.n{n}",
}
ANSWERS = """worker_id,unit_id,try_last,try_current,doc_index,doc_id,doc_topic_id,doc_relevance_value,\
doc_relevance_justification,doc_time_elapsed
w1,unit_1,2,1,0.0,d1,401,4,rushed,3
w1,unit_1,2,2,0.0,d1,401,40,better,31.5
w1,unit_1,2,2,1.0,d2,401,2,worse,22
"""


@pytest.fixture
def batch(tmp_path):
    path = tmp_path / "batch.csv"
    path.write_text(BATCH, encoding="utf-8")
    return path


def test_a_row_with_several_judgments_becomes_several_rows(batch):
    table = arranged(read_table(batch), layout_of("mturk", MTURK, {"AssignmentStatus": "Approved"}))
    assert table.header == [
        *("topic_id", "unit_id", "document_id", "relevance_score", "worker_id", "doc_pos"),
    ]
    assert table.rows == [
        ["401", "a1", "d1", "10", "w1", "0"],
        ["401", "a1", "d2", "20", "w1", "1"],
        ["402", "a3", "d3", "0.5", "w3", "0"],
    ]
    assert table.origin.lines == [2, 2, 4]


def test_only_the_last_attempt_counts_in_crowd_frame(tmp_path):
    path = tmp_path / "workers_answers.csv"
    path.write_text(ANSWERS, encoding="utf-8")
    table = arranged(read_table(path), layout_of("crowd_frame"))
    assert table.column("relevance_score").to_list() == ["40", "2"]
    assert table.column("comment").to_list() == ["better", "worse"]
    assert table.column("cumulative_time").to_list() == ["31.5", "22"]


def test_the_front_door_reads_a_layout(batch):
    judgments = ev.read_judgments(
        batch, layout=ev.layout_of("mturk", MTURK, {"AssignmentStatus": "Approved"})
    )
    assert judgments.magnitudes.tolist() == [10, 20, 0.5]
    with refused("layout-of-no-file"):
        ev.read_judgments([("1", "u", "d", 1)], layout=ev.layout_of("mturk"))


def test_an_invalid_cell_is_reported_with_its_line_in_the_file(batch):
    batch.write_text(BATCH.replace("10,20", "10,none"), encoding="utf-8")
    with refused("not-a-number", "none", at=f"{batch}:2"):
        ev.read_judgments(batch, layout=ev.layout_of("mturk", MTURK))


@pytest.mark.parametrize(
    ("columns", "only", "code"),
    [
        ({}, {}, "csv-column-to-map-missing"),
        (MTURK | {"relevance_score": "Answer.m{n}"}, {}, "csv-column-to-map-missing"),
        (MTURK, {"Status": "Approved"}, "csv-column-to-map-missing"),
        (MTURK, {"AssignmentStatus": "Paid"}, "no-row-counts"),
    ],
)
def test_a_layout_that_does_not_fit_is_refused(batch, columns, only, code):
    with refused(code, at=f"{batch}:1"):
        arranged(read_table(batch), layout_of("mturk", columns, only))


def test_a_file_with_our_columns_needs_all_that_are_required(batch):
    with refused("csv-column-to-map-missing", "topic_id", at=f"{batch}:1"):
        arranged(read_table(batch), layout_of())


def test_an_optional_column_may_be_absent(batch):
    layout = layout_of("mturk", MTURK | {"comment": "Answer.why{n}"})
    assert "comment" not in arranged(read_table(batch), layout).header


def test_unknown_names_are_refused():
    with refused("unknown-layout", "appen"):
        layout_of("appen")
    with refused("unknown-column", "score"):
        layout_of("mturk", {"score": "Answer.n{n}"})


def test_a_place_without_a_number_for_its_document_is_refused(batch):
    batch.write_text(BATCH.replace("Answer.n2", "Answer.n3"), encoding="utf-8")
    with refused("csv-column-to-map-missing", "Answer.n2", at=f"{batch}:1"):
        arranged(read_table(batch), layout_of("mturk", MTURK))


names = st.lists(
    st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="{}"), min_size=1),
    min_size=len(COLUMNS),
    max_size=len(COLUMNS),
    unique=True,
)


@given(names, st.randoms(use_true_random=False), st.integers(1, 5))
def test_names_and_order_of_columns_do_not_matter(theirs, rng, number):
    rows = [[f"{name} {row}" for name in COLUMNS] for row in range(number)]
    order = list(range(len(COLUMNS)))
    rng.shuffle(order)
    table = JudgmentTable(
        [theirs[place] for place in order],
        [[row[place] for place in order] for row in rows],
        Origin("file", list(range(2, number + 2))),
    )
    result = arranged(table, layout_of("plumbline", dict(zip(COLUMNS, theirs, strict=True))))
    assert (result.header, result.rows) == ([*COLUMNS], rows)
