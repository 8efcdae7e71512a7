"""Study files that no form of ours has written: every page opens, every fault is told, nothing breaks."""

import pytest
from django.test import Client

from judging.models import Draft
from tests.setup.driving import SETUPS, Driver

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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("text", ODD)
def test_every_page_opens_and_every_form_can_be_sent(console: Client, text: str) -> None:
    driver = Driver(console)
    draft = driver.upload_study("study.toml", text.encode())
    assert draft is not None
    assert driver.check == "faulty"
    home = f"{SETUPS}{draft.pk}/"
    assert [console.get(f"{home}{page}").status_code for page in PAGES] == [200] * len(PAGES)
    driver.post(
        f"{home}terms/", **{"units.unit_size": "9", "pay.currency": "EUR", "platform.platform": "direct"}
    )
    for action, more in (
        ("pool", {"pool.depth": "7"}),
        ("only", {"only": "1 2"}),
        ("grades", {"path": "qrels.txt", "name": "n"}),
        ("remove", {"name": "../study.toml"}),
        ("unheard", {}),
    ):
        driver.post(f"{home}files/", action=action, **more)
        assert driver.status == 200
    driver.post(f"{home}topics/", number="new", title="New")
    assert console.get(f"{home}topic/?number=new").status_code == 200
    for page in ("estimate/", "advice/"):
        assert console.post(f"{home}{page}", {"units.unit_size": "x"}).status_code == 200
    assert [console.get(f"{home}{page}").status_code for page in PAGES] == [200] * len(PAGES)
    draft.refresh_from_db()
    assert draft.job is not None
    assert draft.job.state == "done", draft.job.error
    assert Draft.objects.count() == 1
