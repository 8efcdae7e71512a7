"""The path through a set-up: each step says whether it is done, what is missing, and which comes next."""

import re

import pytest

from judging.models import Setup
from judging.protocol.estimates import estimate
from judging.setup.estimating import terms_of
from judging.setup.pages.pool_chart import overlap_chart
from judging.setup.reading import Reading
from judging.setup.services.setups import note_change
from tests.factories import NOW
from tests.setup.driving import Driver, at

pytestmark = pytest.mark.django_db(transaction=True)

STEPS = ["study", "texts", "files", "topics", "anchors", "terms"]


def test_an_empty_set_up_says_what_is_missing_at_each_step(driver: Driver) -> None:
    setup = driver.begin("Empty")
    path = driver.path
    assert [step.name for step in path] == STEPS
    assert [step.state for step in path] == ["todo"] * 5 + ["done"]
    assert [step.name for step in path if step.is_next] == ["study"]
    assert all(step.missing for step in path[:5])
    assert "Contact" in path[0].missing
    assert "Consent" in path[1].missing
    driver.get(at(setup, "files/"))
    assert driver.path == path


def test_a_sound_set_up_has_nothing_left(driver: Driver, setup: Setup) -> None:
    page = driver.get(at(setup))
    assert {(step.state, step.is_next, step.missing) for step in driver.path} == {("done", False, "")}
    assert '<p class="next">' not in page


def test_a_problem_leads_to_its_step(driver: Driver, setup: Setup) -> None:
    nothing = {f"option-{place}": "" for place in range(4)}
    driver.post(at(setup, "topic/?number=007"), action="save", question="", **nothing)
    page = driver.get(at(setup))
    (step,) = [step for step in driver.path if step.state != "done"]
    assert (step.name, step.is_next) == ("topics", True)
    assert "007" in step.missing
    assert "1e5" not in step.missing
    assert f'<p class="next"><a href="{at(setup, "topics/")}">' in page


def test_a_file_with_problems_is_named(driver: Driver, setup: Setup) -> None:
    (setup.folder / "poor.run").write_text("007 Q0 007-A 1 high poor\n")
    driver.post(at(setup), action="check")
    (step,) = [step for step in driver.path if step.name == "files"]
    assert "poor.run" in step.missing


def test_anchors_are_not_checked_while_a_file_has_problems(driver: Driver, setup: Setup) -> None:
    (setup.folder / "documents.jsonl").write_text("{")
    driver.post(at(setup), action="check")
    states = {step.name: step.state for step in driver.path}
    assert (states["files"], states["anchors"]) == ("todo", "unchecked")


def test_two_runs_with_one_tag_are_both_in_the_estimate(driver: Driver, setup: Setup) -> None:
    other = (setup.folder / "poor.run").read_text().replace(" poor", " good")
    (setup.folder / "poor.run").write_text(other)
    driver.post(at(setup, "files/"), action="pool", depth="3")
    page = driver.get(at(setup, "files/"))
    line = page.split('class="estimate-line"')[1].split("</p>")[0]
    row = page.split('<tr class="chosen">')[1].split("</tr>")[0]
    units = re.findall(r"<td>(\d+)</td>", row)[-1]
    assert re.search(r"(\d+) units?", line)[1] == units


def test_what_no_check_has_read_is_not_done(driver: Driver, setup: Setup) -> None:
    note_change(setup=setup, now=NOW)
    driver.get(at(setup))
    states = {step.name: step.state for step in driver.path}
    assert {name for name, state in states.items() if state == "unchecked"} == {"files", "topics", "anchors"}
    assert [step.name for step in driver.path if step.is_next] == ["files"]


def test_a_check_can_refuse_any_change_to_an_open_study(driver: Driver, setup: Setup) -> None:
    changes = driver.change(setup.study)
    assert {step.state for step in driver.path} == {"done"}
    note_change(setup=changes, now=NOW)
    driver.get(at(changes))
    assert {step.name for step in driver.path if step.state == "unchecked"} >= {"files", "topics", "anchors"}


def test_cost_and_time_are_on_one_line_too(driver: Driver, setup: Setup) -> None:
    driver.post(at(setup, "terms/"), **{"pay.pay_per_unit": "0.50"})
    units = estimate([6, 6], terms_of(setup.study)).units
    for page in (driver.get(at(setup, "texts/")), driver.post(at(setup, "estimate/"))):
        line = page.split('class="estimate-line"')[1].split("</p>")[0]
        assert "3.00" in line
        assert f"{units} unit" in line


def rows(page: str) -> list[tuple[str, int]]:
    """Return the rows of the chart of the overlap: the number of runs, and the number of documents."""
    table = page.split('id="overlap"')[1].split("<tbody>")[1].split("</tbody>")[0]
    cells = [row.split("</tr>")[0] for row in table.split("<tr>")[1:]]
    return [
        (
            cell.split('<th scope="row">')[1].split("<")[0].strip(),
            int(cell.split('<data value="')[1].split('"')[0]),
        )
        for cell in cells
    ]


def test_the_overlap_of_the_runs_is_drawn(driver: Driver, setup: Setup) -> None:
    # the runs, one the other's reverse, have all eight documents; two of them are anchors
    assert rows(driver.get(at(setup, "files/"))) == [("1", 0), ("2", 12)]
    # of the first five, they share A and N, and N is an anchor; the other anchor, H, is in one run alone
    driver.post(at(setup, "files/"), action="pool", depth="5")
    assert rows(driver.get(at(setup, "files/"))) == [("1", 10), ("2", 2)]
    assert "js/charts.js" in driver.client.get(at(setup, "files/")).content.decode()


def test_without_runs_there_is_no_chart(driver: Driver, setup: Setup) -> None:
    assert 'id="overlap"' not in driver.get(at(driver.begin("Empty"), "files/"))
    assert overlap_chart({}) is None
    assert overlap_chart({"overlap": []}) is None


def test_a_list_can_have_documents_of_no_run_and_many_runs_share_a_bar() -> None:
    reading: Reading = {"depth": None, "overlap": [3, 1, *([0] * 38), 2]}
    chart = overlap_chart(reading)
    assert chart is not None
    assert [row[1] for row in chart.rows] == [3, 1, *([0] * 22), 2]
    assert chart.rows[0][0] == "0"
