"""`entry = "signed"`: a worker's id is believed only with its signature, and until the time of the link."""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import CommandError, call_command

from judging.models import AuditEntry, Participation, PlatformIdentity, PlatformSubmission, Study
from judging.protocol.signed_links import is_signed, signature_of
from judging.worker.pages.refusals import FLAWS
from judging.worker.selectors.signed_links import Flaw, secret_of
from judging.worker.services.links import make_secret
from tests.factories import later, make_study
from tests.support.visitor import Visitor, through_client
from tests.worker.entry.conftest import END, everything_stored, signed_link
from tests.worker.pages.actions import come_back, consent
from tests.worker.pages.conftest import Clock

DOCS = Path(__file__).resolve().parents[3] / "docs" / "guides" / "entry.md"
WORKED = {"secret": "an-example-of-a-secret", "slug": "tides", "worker": "w-17", "visit": "v 2"}
SIGNATURE = "8781a02ffe06ba7e179ed65e9b8c4e93e409347da7cacf3312dfaed9cf46bb62"


def newcomer() -> Visitor:
    return Visitor(through_client())


# --- the signature -----------------------------------------------------------------------------------------


def test_the_worked_value_of_the_documentation() -> None:
    assert signature_of(**WORKED, expires=1893456000) == SIGNATURE
    assert is_signed(SIGNATURE, **WORKED, expires="1893456000")
    assert SIGNATURE in DOCS.read_text()


def test_the_program_of_the_documentation_makes_that_very_link() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    link = urlsplit(done.stdout.strip())
    assert link.path == "/s/tides/"
    assert parse_qs(link.query) == {
        "PID": ["w-17"],
        "VISIT": ["v 2"],
        "exp": ["1893456000"],
        "sig": [SIGNATURE],
    }


@pytest.mark.parametrize(
    "change",
    [
        {"secret": "another"},
        {"slug": "tide"},
        {"worker": "w-18"},
        {"worker": "w-17 "},
        {"visit": ""},
        {"expires": "1893456001"},
        {"expires": "01893456000"},
        {"expires": ""},
        {"expires": "1e9"},
        {"expires": "٣"},
        {"expires": "9" * 13},
    ],
)
def test_whatever_is_changed_the_signature_does_not_fit(change: dict[str, str]) -> None:
    assert not is_signed(SIGNATURE, **{**WORKED, "expires": "1893456000", **change})


@pytest.mark.parametrize("signature", ["", SIGNATURE.upper(), SIGNATURE[:-1], "é", "0" * 64])
def test_another_signature_does_not_fit(signature: str) -> None:
    assert not is_signed(signature, **WORKED, expires="1893456000")


def test_what_is_signed_can_be_read_in_one_way_alone() -> None:
    with pytest.raises(ValueError, match="control character"):
        signature_of(**WORKED | {"worker": "w\nv", "visit": ""}, expires=1)
    assert not is_signed(SIGNATURE, **WORKED | {"visit": "v\n2"}, expires="1893456000")


# --- coming by a link --------------------------------------------------------------------------------------


def test_a_signed_link_lets_its_worker_begin_and_come_back(signed: Study, visitor: Visitor) -> None:
    consent(visitor, signed_link(signed, "person 1/ü&=", "visit 1"))
    assert visitor.page.step == "instructions"
    assert PlatformIdentity.objects.get().platform_id == "person 1/ü&="
    assert come_back(newcomer(), signed_link(signed, "person 1/ü&=", "visit 2")).step == "instructions"
    assert PlatformSubmission.objects.count() == 2
    assert Participation.objects.count() == 1


def test_without_a_visit_the_line_is_empty(signed: Study, visitor: Visitor) -> None:
    assert consent(visitor, signed_link(signed, "person")).step == "instructions"


@pytest.mark.parametrize(
    ("old", "new", "flaw"),
    [
        ("PID=person", "PID=other", Flaw.CHANGED),
        ("VISIT=one", "VISIT=two", Flaw.CHANGED),
        ("&VISIT=one", "", Flaw.CHANGED),
        ("exp=", "exp=9", Flaw.CHANGED),
        ("sig=", "sig=0", Flaw.CHANGED),
        ("sig=", "", Flaw.UNSIGNED),
        ("PID=person", "", Flaw.UNSIGNED),
        ("exp=", "", Flaw.CHANGED),
    ],
)
def test_an_edited_link_is_refused_and_says_what_to_do(
    signed: Study, visitor: Visitor, old: str, new: str, flaw: Flaw
) -> None:
    link = signed_link(signed, "person", "one")
    assert old in link
    edited = link.replace(old, new, 1)
    for page in (visitor.open(edited), visitor.post(edited, {"consent": "yes"})):
        assert page.status == 403
        assert str(FLAWS[flaw].reason) in page.text
        assert page.forms == []
    assert not any(reply.cookies for reply in visitor.seen)
    assert not Participation.objects.exists()


def test_a_link_ends_at_its_time(signed: Study, visitor: Visitor, clock: Clock) -> None:
    link = signed_link(signed, "person")
    visitor.open(link)
    clock.move(seconds=3599)
    assert visitor.open(link).forms
    clock.move(seconds=1)
    assert int(clock.now.timestamp()) == END
    page = visitor.send(consent="yes")
    assert page.status == 403
    assert str(FLAWS[Flaw.EXPIRED].reason) in page.text


def test_who_has_begun_goes_on_without_the_link_but_not_by_a_wrong_one(
    signed: Study, visitor: Visitor, clock: Clock
) -> None:
    link = signed_link(signed, "person")
    consent(visitor, link)
    clock.move(hours=2)
    assert visitor.open("/s/study/").step == "instructions"
    page = visitor.open(link)
    assert page.status == 403
    goes_on = 'href="/s/study/"'
    assert goes_on in page.html
    assert goes_on not in newcomer().open(link).html


def test_nobody_takes_over_another_ones_participation(signed: Study) -> None:
    consent(newcomer(), signed_link(signed, "person"))
    thief = newcomer()
    forged = signed_link(signed, "thief").replace("PID=thief", "PID=person")
    assert thief.open(forged).status == 403
    assert thief.open("/s/study/?PID=person").status == 403
    assert not any(reply.cookies for reply in thief.seen)


def test_a_link_of_another_study_is_none(signed: Study, visitor: Visitor) -> None:
    other = make_study(slug="other", entry="signed", platform="generic", id_parameter="PID")
    make_secret(study=other, now=later())
    link = signed_link(signed, "person").replace("/s/study/", "/s/other/")
    assert visitor.open(link).status == 403


# --- the secret --------------------------------------------------------------------------------------------


def test_the_secret_is_stored_nowhere_and_needs_the_sites_own_key(signed: Study, settings: object) -> None:
    secret = secret_of(signed)
    assert re.fullmatch("[0-9a-f]{64}", secret)
    assert secret not in everything_stored()
    settings.SECRET_KEY = "of somebody who has the database alone, however long"  # type: ignore[attr-defined]
    assert secret_of(signed) != secret


def test_a_new_secret_makes_the_earlier_links_void(signed: Study, visitor: Visitor) -> None:
    link, before = signed_link(signed, "person"), secret_of(signed)
    after = make_secret(study=signed, now=later())
    assert after != before
    assert visitor.open(link).status == 403
    signed.refresh_from_db()
    assert "I agree" in visitor.open(signed_link(signed, "person")).html
    details = list(AuditEntry.objects.filter(verb="entry_secret_made").values_list("detail", flat=True))
    assert details == [{}, {}]


def test_without_a_secret_nobody_comes(signed: Study, visitor: Visitor) -> None:
    link = signed_link(signed, "person")
    Study.objects.update(entry_key="")
    assert visitor.open(link).status == 403


def test_the_command_prints_a_link_that_works(
    signed: Study, capsys: pytest.CaptureFixture[str], visitor: Visitor
) -> None:
    call_command("sign_entry", "study", "person 9", visit="v", site="https://judging.example.org")
    link = capsys.readouterr().out.strip()
    assert link.startswith("https://judging.example.org/s/study/?PID=person+9&VISIT=v&exp=")
    consent(visitor, link.removeprefix("https://judging.example.org"))
    assert PlatformIdentity.objects.get().platform_id == "person 9"
    assert parse_qs(urlsplit(link).query)["exp"] == [str(int(later().timestamp()) + 7 * 86_400)]


def test_it_makes_the_secret_where_there_is_none_and_refuses_nonsense(
    signed: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    Study.objects.update(entry_key="")
    call_command("sign_entry", "study", "person")
    assert Study.objects.get().entry_key
    for worker, more in (
        (" ", {}),
        ("x" * 201, {}),
        ("a\nb", {}),
        ("person", {"days": 0}),
        ("person", {"visit": "x" * 201}),
    ):
        with pytest.raises(CommandError):
            call_command("sign_entry", "study", worker, **more)
    make_study(slug="plain")
    with pytest.raises(CommandError, match='set entry = "signed"'):
        call_command("sign_entry", "plain", "person")
