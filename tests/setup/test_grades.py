"""Known grades on the pages of a set-up: nobody guesses whether 1 is the best grade or the worst."""

from typing import Any
from urllib.parse import quote

import pytest

from judging.models import Setup
from tests.setup.driving import Driver, at
from tests.setup.intake.folder import TOPICS, StudyFolder

pytestmark = pytest.mark.django_db(transaction=True)

CODES = {"H": 1, "R": 2, "M": 3, "N": 4}
OWN = {"grade-0": "H", "grade-1": "R", "grade-2": "drop", "grade-3": "N"}


def grades(setup: Setup) -> list[dict[str, Any]]:
    return list(setup.files.filter(kind="grades").values("name", "path", "format", "levels"))


@pytest.fixture
def uploaded(driver: Driver, setup: Setup, folder: StudyFolder) -> Setup:
    """A set-up to which grades in three columns were uploaded, and nothing said of them yet."""
    driver.post(at(setup, "files/"), action="remove", name="qrels.txt")
    lines = (f"{number} {number}-{letter} {code}\n" for number in TOPICS for letter, code in CODES.items())
    folder.write("codes.txt", "".join(lines))
    driver.upload(setup, "grades", folder.path / "codes.txt")
    return setup


def test_no_reading_is_taken_before_somebody_chose_it(driver: Driver, uploaded: Setup) -> None:
    assert grades(uploaded) == []
    form = driver.text.split("<fieldset")[1]
    assert "checked" not in form
    rows = [row.split("</tr>")[0] for row in form.split('<th scope="row">')[1:]]
    cells = [[cell.split("</td>")[0] for cell in row.split("<td>")[1:]] for row in rows]
    read_as = [[first, second, count] for first, second, _, count in cells]
    assert [row.split("</th>")[0] for row in rows] == ["1", "2", "3", "4"]
    assert read_as == [["M", "H", "2"], ["R", "R", "2"], ["H", "M", "2"], ["–", "M", "2"]]


@pytest.mark.parametrize(
    ("reading", "given", "written"),
    [
        ("cranfield", {}, {"format": "cranfield", "levels": {}}),
        ("own", OWN, {"format": "qrels", "levels": {"1": "H", "2": "R", "3": "drop", "4": "N"}}),
    ],
)
def test_the_chosen_reading_is_stored(
    driver: Driver, uploaded: Setup, reading: str, given: dict[str, str], written: dict[str, Any]
) -> None:
    page = driver.read_grades(uploaded, "codes.txt", reading=reading, **given)
    assert grades(uploaded) == [{"name": "codes", "path": "codes.txt", **written}]
    assert '<th scope="row">1</th><td class="text">H</td><td>2</td>' in page
    page = driver.get(at(uploaded, "anchors/"))
    assert "007-H," in page.split("007 title of 007")[1].split("</td>")[0]


@pytest.mark.parametrize(
    ("reading", "given"), [("", {}), ("qrels", {}), ("own", OWN | {"grade-3": ""}), ("own", {"grade-0": "X"})]
)
def test_a_choice_that_leaves_values_open_is_refused_and_kept(
    driver: Driver, uploaded: Setup, reading: str, given: dict[str, str]
) -> None:
    page = driver.read_grades(uploaded, "codes.txt", reading=reading, **given)
    assert driver.status == 400
    assert 'role="alert"' in page
    assert page.count("<option selected>R") == (given.get("grade-1") == "R")
    assert grades(uploaded) == []


def test_a_reading_can_be_chosen_anew_but_not_over_somebody_elses(driver: Driver, uploaded: Setup) -> None:
    version = driver.text.split('name="version" value="')[1].split('"')[0]
    driver.read_grades(uploaded, "codes.txt", reading="cranfield")
    address = at(uploaded, "grades/?name=codes.txt")
    assert 'value="cranfield" checked' in driver.get(address)
    driver.post(address, reading="own", version=version, **OWN)
    assert driver.status == 409
    assert grades(uploaded)[0]["format"] == "cranfield"
    driver.read_grades(uploaded, "codes.txt", reading="own", **OWN)
    assert len(grades(uploaded)) == 1
    assert grades(uploaded)[0]["levels"]["1"] == "H"


@pytest.mark.parametrize("text", ["1 Q0 d 1 9.5 run\n", "a b\n"])
def test_a_file_that_holds_no_grades_says_so(
    driver: Driver, setup: Setup, folder: StudyFolder, text: str
) -> None:
    before = grades(setup)
    folder.write("odd.txt", text)
    driver.upload(setup, "grades", folder.path / "odd.txt")
    driver.read_grades(setup, "odd.txt", reading="qrels")
    assert "odd.txt:1" in driver.text
    assert grades(setup) == before


def test_only_files_of_the_set_up_are_read(driver: Driver, setup: Setup) -> None:
    before = grades(setup)
    for name in ("../../study.toml", "study.toml", "absent", ""):
        driver.post(at(setup, f"grades/?name={quote(name)}"), reading="qrels")
        assert driver.refused == [""], name
        assert grades(setup) == before
