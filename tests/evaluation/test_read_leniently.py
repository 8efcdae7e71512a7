"""What files may contain without a fault: blank lines and blanks around numbers."""

from evaluation.comparison import all_pairs, top_set
from evaluation.files import read_judgments, read_scores
from tests.evaluation.refusals import refused


def test_blanks_around_a_magnitude_do_not_count(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text("topic_id,unit_id,document_id,relevance_score\n1,u,a, 2.5 \n")
    assert read_judgments(path).magnitudes.tolist() == [2.5]


def test_blank_lines_of_scores_in_csv_do_not_count(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("run,topic,measure,value\n\na,1,AP,0.5\n\nb,1,AP,0.25\n")
    assert read_scores(path).runs == ("a", "b")


def test_each_system_has_a_row():
    for compare in (top_set, all_pairs):
        with refused("matrix-of-other-systems", "(1, 2)", "(2)"):
            compare(["a", "b"], [[0.5, 0.25]])
