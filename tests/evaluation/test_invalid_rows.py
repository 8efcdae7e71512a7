"""`normalise` on files with invalid rows: all of them told in one line, or their units left out."""

import csv
import io
import re

from tests.evaluation.command_results import error_line

HEADER = "topic_id,unit_id,document_id,relevance_score,gold\n"


def unit(number, *cells):
    return "".join(f"t,{number},d{place},{cell}\n" for place, cell in enumerate(cells))


def written(path, *units):
    (path / "judgments.csv").write_text(HEADER + "".join(units))


def numbers(said):
    """The whole numbers in a line, in their order."""
    return re.findall(r"\b\d+\b", said)


def kept(done):
    """The units of the rows that were written."""
    assert done.returncode == 0
    return [row["unit_id"] for row in csv.DictReader(io.StringIO(done.stdout))]


def test_every_invalid_row_is_told_in_one_line(shell, tmp_path):
    written(tmp_path, unit(1, "2,", "0,"), unit(2, "x,", ",", "3,"), "t,,d,4,\n", unit(3, "inf,", "1e101,"))
    output = error_line(shell("normalise", "judgments.csv"))
    assert output.startswith("judgments.csv:4: ")
    assert numbers(output)[-6:] == ["3", "5", "7", "8", "9", "6"]


def test_of_many_invalid_rows_twenty_are_named(shell, tmp_path):
    written(tmp_path, *(unit(number, "-1,") for number in range(30)))
    output = error_line(shell("normalise", "judgments.csv"))
    assert output.startswith("judgments.csv:2: ")
    assert numbers(output)[-20:] == [*map(str, range(3, 22)), "30"]


def test_one_invalid_row_is_told_as_before(shell, tmp_path):
    written(tmp_path, unit(1, "2,", "0,"))
    place, what = error_line(shell("normalise", "judgments.csv")).split(": ", 1)
    assert place == "judgments.csv:3"
    assert not {"1", "3"} & {*numbers(what)}, "neither the line again, nor how many there are"


def test_whole_units_are_left_out_and_named(shell, tmp_path):
    written(tmp_path, unit("good", "2,", "8,"), unit("bad", "1,", "0,", "x,"), unit("fine", "3,"))
    done = shell("normalise", "judgments.csv", "--skip-invalid")
    assert kept(done) == ["good", "good", "fine"]
    (warning,) = done.stderr.splitlines()
    assert warning.startswith("warning: judgments.csv:5: ")
    assert "'bad'" in warning
    written(tmp_path, unit("good", "2,", "8,"), unit("fine", "3,"))
    assert shell("normalise", "judgments.csv").stdout == done.stdout


def test_units_are_left_out_by_worker(shell, tmp_path):
    rows = ["t,1,a,2,w\n", "t,1,a,0,v\n", "t,1,b,3,v\n"]
    (tmp_path / "judgments.csv").write_text(HEADER.replace("gold", "worker_id") + "".join(rows))
    done = shell("normalise", "judgments.csv", "--skip-invalid")
    assert len(kept(done)) == 1
    assert "worker_id 'v'" in done.stderr


def test_units_without_the_anchors_of_a_method_are_left_out(shell, tmp_path):
    written(
        tmp_path,
        unit("whole", "2,N", "8,H", "4,"),
        unit("no H", "2,N", "8,"),
        unit("two N", "2,N", "8,H", "1,N"),
        unit("equal", "5,N", "5,H"),
        unit("mark", "5,N", "6,H", "7,?"),
    )
    assert "'?'" in error_line(shell("normalise", "judgments.csv", "--method", "anchors"))
    for method, left in (("anchors", {"whole"}), ("n", {"whole", "equal"})):
        done = shell("normalise", "judgments.csv", "--method", method, "--skip-invalid")
        assert set(kept(done)) == left
        assert done.stderr.count("warning: judgments.csv:") == 5 - len(left)


def test_units_without_anchors_are_all_told(shell, tmp_path):
    written(tmp_path, unit("no H", "2,N"), unit("none", "2,"), unit("neither", "3,"))
    assert numbers(error_line(shell("normalise", "judgments.csv", "--method", "n")))[-2:] == ["4", "2"]


def test_nothing_left_is_an_error(shell, tmp_path):
    written(tmp_path, unit(1, "0,"), unit(2, "-1,"))
    assert error_line(shell("normalise", "judgments.csv", "--skip-invalid")).startswith("judgments.csv:1: ")
