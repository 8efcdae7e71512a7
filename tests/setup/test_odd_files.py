"""Study files that no form of ours has written, and forms that no page of ours has sent: nothing breaks."""

import re

import pytest
from django.test import Client

from judging.models import Setup, Study
from tests.setup.driving import Driver, at
from tests.support.problems import problems_in

ODD = [
    'title = 7\nslug = ["a"]\nseed = 2030-01-31',
    'topics = "file"\nonly = 3\ndocuments = []\npool = "x"',
    '[topics]\nonly = "1"\npath = 7\n[pool]\ndepth = "ten"\n[grades]\nname = "x"',
    'topic = ["x", {number = "1"}]\nquestion = [{topic = 3, options = "four"}]\nanchor = {H = "x"}',
    '[[topic]]\nnumber = 401\nquestion = 3\noptions = [1]\nanswer = 1\n[[anchor]]\ntopic = "401"\nH = ["a"]',
    '[[grades]]\nlevels = ["N"]\nunlisted = 3\n[[run]]\npath = ["a", "b"]\n[units]\nunit_size = {a = 1}',
    "[pool]\ndepth = 9999999999999999\n[units]\nunit_size = 1e999\n[pay]\npay_per_unit = nan\ncurrency = 1",
    "units = 3\nchecks = []\npay = true\nplatform = 1.5",
    '[pay]\nunknown = 1\n[other.deeper]\nx = 1\n["quo ted"]\n"k e y" = "v"',
]
PAGES = ("", "study/", "texts/", "terms/", "files/", "topics/", "anchors/", "study.toml", "study.zip")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("text", ODD)
def test_an_odd_study_file_is_refused_by_its_lines(console: Client, text: str) -> None:
    driver = Driver(console)
    assert driver.upload_study("study.toml", text.encode()) is None
    assert driver.status == 400
    problems = problems_in(driver.text)
    assert problems
    for field, message in problems:
        assert field == "file"
        assert re.match(r"study\.toml:\d+: ", message)
    assert not Study.objects.exists()


def test_every_page_opens_and_every_form_can_be_sent(console: Client) -> None:
    driver = Driver(console)
    setup = driver.begin("Odd")
    assert driver.check == "faulty"
    assert [console.get(at(setup, page)).status_code for page in PAGES] == [200] * len(PAGES)
    for address, sent in (
        ("terms/", {"units.unit_size": "9", "pay.currency": "EUR", "platform.platform": "direct"}),
        ("files/", {"action": "pool", "depth": "7"}),
        ("files/", {"action": "grades", "path": "qrels.txt", "name": "n"}),
        ("files/", {"action": "remove", "name": "../study.toml"}),
        ("files/", {"action": "remove", "name": ""}),
        ("files/", {"action": "unheard"}),
        ("files/", {"action": "upload", "kind": "unheard"}),
        ("files/", {"action": "upload", "kind": "documents", "format-documents": "pdf"}),
        ("files/", {"action": "use", "kind": "unheard", "name": "../study.toml"}),
        ("files/", {"action": "use", "kind": "run", "name": "../study.toml"}),
        ("topics/", {"number": "new", "title": "New"}),
        ("topic/?number=new", {"right": "9", "option-0": "\x00"}),
        ("topic/?number=new", {"number": "n" * 101}),
        ("anchors/?number=new", {"H": "x" * 300, "N": "n"}),
        ("anchors/?number=absent", {"H": "x"}),
        ("grades/?name=absent", {"reading": "own"}),
        ("", {"action": "unheard"}),
    ):
        driver.post(at(setup, address), **sent)
        assert driver.status in (200, 400), address
    for page in ("estimate/", "advice/"):
        assert console.post(at(setup, page), {"units.unit_size": "x", "right": "x"}).status_code == 200
    assert [console.get(at(setup, page)).status_code for page in PAGES] == [200] * len(PAGES)
    setup.refresh_from_db()
    assert setup.job is not None
    assert setup.job.state == "done", setup.job.error
    assert Setup.objects.count() == 1
