"""Whatever is wrong with a bundle is told in sentences, by file and line, and nothing of it is written."""

import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from hypothesis import assume, given
from hypothesis import strategies as st

from judging.archive.bundles import archive
from judging.archive.bundles.layout import MANIFEST, MEMBERS, NAMES, NEEDED
from judging.archive.catalogue import export_chunks
from judging.core.faults import StudyRefusedError
from judging.models import AuditEntry, Document, Study
from judging.setup.study_files.importing import import_study
from judging.understanding.services.labels import add_labels
from judging.watching.services.curation import exclude_unit
from tests.archive.bundles.conftest import add_machine, add_markup
from tests.archive.exports.conftest import add_grades, add_run
from tests.factories import NOW, answer_wrongly, fail_practice, judge_unit, later, make_study, make_worker

Members = dict[str, bytes]
VERDICT = {"set": "trec", "verdict": "crowd_wrong", "note": "", "decided_at": "2026-03-02T09:00:00+00:00"}


@pytest.fixture
def whole(made: bytes, db: None) -> bytes:
    """The bundle of a small study with a row of every kind; its slug is free."""
    return made


@pytest.fixture(scope="module")
def made(module_db: None) -> bytes:
    study = make_study(judgments_per_document=2)
    add_grades(study, "trec", place=0)
    add_run(study, "run")
    add_markup(study)
    labels = b"401 0 D401-H 2\n401 0 D401-N 1\n402 0 D402-H 2\n"
    add_labels(study=study, name="labels", data=labels, file_name="labels.qrels", now=NOW)
    done = judge_unit(make_worker(study, platform_id="person-1"))
    judge_unit(make_worker(study), now=later(hours=1))
    answer_wrongly(make_worker(study, upto="question"))
    fail_practice(make_worker(study, upto="practising"))
    exclude_unit(unit=done.unit, reason="Odd.", now=later(hours=2), collect_again=True)
    add_machine(study)
    data = b"".join(export_chunks(study, "bundle", "zip"))
    Study.objects.filter(pk=study.pk).update(slug="original")
    return data


def members_of(data: bytes, path: Path) -> Members:
    path.write_bytes(data)
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def packed(path: Path, members: Members, *, summed: bool = True) -> Path:
    """A zip of these members; `summed`, with a manifest that agrees with them."""
    if summed and MANIFEST in members:
        manifest = json.loads(members[MANIFEST])
        for file in manifest["files"]:
            data = members.get(file["name"], b"")
            file |= {"bytes": len(data), "rows": data.count(b"\n"), "sha256": sha256(data).hexdigest()}
        members = members | {MANIFEST: json.dumps(manifest).encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in members.items():
            bundle.writestr(name, data)
    return path


def refused(path: Path) -> str:
    """What is said of a bundle that is refused; nothing is left of it."""
    before = Study.objects.count(), Document.objects.count(), AuditEntry.objects.count()
    with pytest.raises(StudyRefusedError) as refusal, transaction.atomic():
        import_study(path, now=NOW)
    assert (Study.objects.count(), Document.objects.count(), AuditEntry.objects.count()) == before
    assert all(line.startswith(str(path)) for line in refusal.value.lines)
    return str(refusal.value)


def test_the_bundle_is_whole_before_it_is_damaged(whole: bytes, bundle: Path) -> None:
    members = members_of(whole, bundle)
    assert [*members] == [MANIFEST, *NAMES]
    assert all(members.values()), "a member without a row proves nothing"
    assert import_study(packed(bundle, members), now=NOW).judgments == 16


@pytest.mark.parametrize("name", [MANIFEST, *NEEDED])
def test_a_missing_member_is_named(whole: bytes, bundle: Path, name: str) -> None:
    members = members_of(whole, bundle)
    del members[name]
    assert f"{bundle}/{name}: " in refused(packed(bundle, members))


def test_a_missing_picture_file_does_not_match_the_manifest(whole: bytes, bundle: Path) -> None:
    members = members_of(whole, bundle)
    del members["pictures.jsonl"]
    assert f"{bundle}/{MANIFEST}: " in refused(packed(bundle, members, summed=False))


@pytest.mark.parametrize("name", NAMES)
def test_a_member_that_is_not_what_the_manifest_says_is_named(whole: bytes, bundle: Path, name: str) -> None:
    members = members_of(whole, bundle)
    members[name] = members[name].replace(b"1", b"2", 1)
    assert f"{bundle}/{name}: " in refused(packed(bundle, members, summed=False))


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"[]",
        b"[" * 100_000,
        b'{"bundle": 1, "files": []}',
        b'{"bundle": 1, "files": [1, null]}',
        b'{"bundle": 2, "files": []}',
    ],
)
def test_a_manifest_that_is_none_is_refused(whole: bytes, bundle: Path, manifest: bytes) -> None:
    members = members_of(whole, bundle) | {MANIFEST: manifest}
    assert MANIFEST in refused(packed(bundle, members, summed=False))


@pytest.mark.parametrize("name", ["../../evil.txt", "/etc/passwd", "C:\\evil", "study.json/../x", "more.csv"])
def test_names_that_are_none_of_a_bundle_are_refused(whole: bytes, bundle: Path, name: str) -> None:
    members = members_of(whole, bundle) | {name: b"evil\n"}
    assert repr(name) in refused(packed(bundle, members))


def test_a_bomb_is_refused_before_it_is_unpacked(whole: bytes, bundle: Path) -> None:
    members = members_of(whole, bundle) | {"documents.jsonl": b" " * (8 << 20)}
    assert "documents.jsonl" in refused(packed(bundle, members))


def test_more_than_can_be_meant_is_refused(
    whole: bytes, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    bundle.write_bytes(whole)
    assert refused(bundle)


def test_what_is_no_zip_is_refused(db: None, bundle: Path) -> None:
    assert refused(bundle)
    bundle.write_bytes(b"PK\x03\x04 and no more")
    assert refused(bundle)


def test_a_bundle_updates_no_study(whole: bytes, bundle: Path) -> None:
    bundle.write_bytes(whole)
    with pytest.raises(StudyRefusedError):
        import_study(bundle, now=NOW, update=True)


def test_a_name_that_is_taken_is_told(whole: bytes, bundle: Path) -> None:
    bundle.write_bytes(whole)
    make_study(opened=False)
    assert "--slug" in refused(bundle)


def change(member: str, line: int, edit: Callable[[dict[str, Any]], Any]) -> Callable[[Members], None]:
    """An edit of one row."""

    def done(members: Members) -> None:
        lines = members[member].splitlines(keepends=True)
        row = json.loads(lines[line - 1])
        edit(row)
        lines[line - 1] = json.dumps(row).encode() + b"\n"
        members[member] = b"".join(lines)

    return done


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (
            change("study.json", 1, lambda row: row.update(unit_size="8")),
            "study.json:1: unit_size",
        ),
        (change("study.json", 1, lambda row: row.pop("title")), "study.json:1: title"),
        (
            change("study.json", 1, lambda row: row.update(token="x")),
            "study.json:1: token",
        ),
        (change("study.json", 1, lambda row: row.update(slug="a/b")), "study.json:1: slug"),
        (change("topics.jsonl", 2, lambda row: row.update(number="401")), "topics.jsonl:2"),
        (change("topics.jsonl", 1, lambda row: row["question"].update(right_option=4)), "topics.jsonl:1"),
        (change("documents.jsonl", 3, lambda row: row.update(text="")), "documents.jsonl:3"),
        (change("documents.jsonl", 3, lambda row: row.update(id="x" * 201)), "documents.jsonl:3: id"),
        (change("pool.jsonl", 1, lambda row: row.update(topic="9")), "pool.jsonl:1: topic"),
        (change("pool.jsonl", 1, lambda row: row.update(grade="X")), "pool.jsonl:1: grade"),
        (
            change("pool.jsonl", 1, lambda row: row["verdicts"].append(VERDICT | {"set": "x"})),
            "pool.jsonl:1: verdicts.set",
        ),
        (
            change("pool.jsonl", 1, lambda row: row["verdicts"].append(VERDICT | {"verdict": "x"})),
            "pool.jsonl:1: verdicts.verdict",
        ),
        (change("pool.jsonl", 1, lambda row: row.update(verdicts=[VERDICT, VERDICT])), "pool.jsonl:1"),
        (change("grades.jsonl", 1, lambda row: row.update(set="x")), "grades.jsonl:1: set"),
        (change("runs.jsonl", 1, lambda row: row["ranks"].pop()), "runs.jsonl:1: scores"),
        (change("labels.jsonl", 1, lambda row: row.update(name="people")), "labels.jsonl:1: name"),
        (change("labels.jsonl", 1, lambda row: row.update(name="")), "labels.jsonl:1"),
        (change("labels.jsonl", 1, lambda row: row.update(sha256="x")), "labels.jsonl:1"),
        (
            change("labels.jsonl", 1, lambda row: row["topics"][0].update(topic="9")),
            "labels.jsonl:1: topics.topic",
        ),
        (change("labels.jsonl", 1, lambda row: row["topics"].append(row["topics"][0])), "labels.jsonl:1"),
        (
            change("labels.jsonl", 1, lambda row: row["topics"][0]["labels"].pop()),
            "labels.jsonl:1: topics.labels",
        ),
        (
            change("labels.jsonl", 1, lambda row: row["topics"][0]["documents"].reverse()),
            "labels.jsonl:1: topics.documents",
        ),
        (change("units.jsonl", 1, lambda row: row.update(state="reserved")), "units.jsonl:1: state"),
        (change("units.jsonl", 1, lambda row: row.update(copy_of=77)), "units.jsonl:1: copy_of"),
        (change("units.jsonl", 1, lambda row: row.update(documents=["D401-H"])), "units.jsonl:1: documents"),
        (change("workers.jsonl", 1, lambda row: row.update(simulated=True)), "workers.jsonl:1"),
        (
            change("workers.jsonl", 1, lambda row: row.update(consented_at="now")),
            "workers.jsonl:1: consented_at",
        ),
        (change("attempts.jsonl", 1, lambda row: row.update(state="judging")), "attempts.jsonl:1: state"),
        (change("attempts.jsonl", 1, lambda row: row.update(worker="nobody")), "attempts.jsonl:1: worker"),
        (change("judgments.jsonl", 5, lambda row: row.update(magnitude=0)), "judgments.jsonl:5"),
        (
            change("judgments.jsonl", 5, lambda row: row.update(magnitude=1e101)),
            "judgments.jsonl:5",
        ),
        (change("judgments.jsonl", 5, lambda row: row.update(document="D")), "judgments.jsonl:5: document"),
        (change("judgments.jsonl", 5, lambda row: row.update(attempt=9)), "judgments.jsonl:5: attempt"),
        (change("judgments.jsonl", 5, lambda row: row.update(justification="\0")), "judgments.jsonl:5"),
        (change("events.jsonl", 1, lambda row: row.update(kind="party")), "events.jsonl:1: kind"),
        (change("events.jsonl", 1, lambda row: row.update(tau=7)), "events.jsonl:1"),
    ],
)
def test_a_row_that_cannot_be_is_named_by_its_line(
    whole: bytes, bundle: Path, edit: Callable[[Members], None], said: str
) -> None:
    members = members_of(whole, bundle)
    edit(members)
    assert f"{bundle}/{said}" in refused(packed(bundle, members))


WORKERS, UNITS, CALLS = (f"machine_{name}.jsonl" for name in ("workers", "units", "calls"))
JUDGES, ATTEMPTS, DONE = (f"machine_{name}.jsonl" for name in ("judges", "attempts", "judgments"))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (change(JUDGES, 1, lambda row: row.update(name="all")), f"{JUDGES}:1: name"),
        (change(JUDGES, 1, lambda row: row.update(name="labels")), f"{JUDGES}:1: name"),
        (change(JUDGES, 1, lambda row: row.update(model="")), f"{JUDGES}:1"),
        (change(JUDGES, 1, lambda row: row.update(temperature=3)), f"{JUDGES}:1"),
        (change(JUDGES, 1, lambda row: row.update(input_price="-1")), f"{JUDGES}:1"),
        (change(JUDGES, 1, lambda row: row.update(url="http://x")), f"{JUDGES}:1: url"),
        (change(JUDGES, 1, lambda row: row.update(sittings=[])), f"{JUDGES}:1: sittings"),
        (change(JUDGES, 1, lambda row: row["sittings"].reverse()), f"{JUDGES}:1: sittings.sitting"),
        (
            change(JUDGES, 1, lambda row: row["sittings"][1].update(worker="nobody")),
            f"{JUDGES}:1: sittings.worker",
        ),
        (
            change(JUDGES, 1, lambda row: row["sittings"][1].update(worker=row["sittings"][0]["worker"])),
            f"{JUDGES}:1",
        ),
        (change(JUDGES, 1, lambda row: row["sittings"].pop()), f"{WORKERS}:"),
        (change(WORKERS, 1, lambda row: row.update(simulated=True)), f"{WORKERS}:1: simulated"),
        (change(UNITS, 2, lambda row: row.update(judge="nobody")), f"{UNITS}:2: judge"),
        (change(UNITS, 1, lambda row: row.update(number=1)), f"{UNITS}:1"),
        (change(ATTEMPTS, 1, lambda row: row.update(unit=1)), f"{ATTEMPTS}:1: unit"),
        (change(ATTEMPTS, 1, lambda row: row.update(serial=-1)), f"{ATTEMPTS}:1"),
        (change(DONE, 2, lambda row: row.update(document="D")), f"{DONE}:2: document"),
        (change(CALLS, 2, lambda row: row.update(worker="nobody")), f"{CALLS}:2: worker"),
        (change(CALLS, 2, lambda row: row.update(document="D")), f"{CALLS}:2: document"),
        (change(CALLS, 2, lambda row: row.update(topic=None)), f"{CALLS}:2: topic"),
        (change(CALLS, 2, lambda row: row.update(topic="9")), f"{CALLS}:2: topic"),
        (change(CALLS, 2, lambda row: row.update(other=row["document"])), f"{CALLS}:2"),
        (change(CALLS, 2, lambda row: row.update(purpose="chat")), f"{CALLS}:2: purpose"),
        (change(CALLS, 2, lambda row: row.update(fault="x")), f"{CALLS}:2"),
        (change(CALLS, 2, lambda row: row.update(key="0" * 64)), f"{CALLS}:2"),
    ],
)
def test_a_machine_judge_that_cannot_be_is_named_by_its_line(
    whole: bytes, bundle: Path, edit: Callable[[Members], None], said: str
) -> None:
    members = members_of(whole, bundle)
    edit(members)
    assert f"{bundle}/{said}" in refused(packed(bundle, members))


def test_two_machine_judges_have_two_names(whole: bytes, bundle: Path) -> None:
    members = members_of(whole, bundle)
    members[JUDGES] *= 2
    assert f"{bundle}/{JUDGES}:2: name" in refused(packed(bundle, members))


def test_work_without_its_machine_judge_is_refused(whole: bytes, bundle: Path) -> None:
    members = members_of(whole, bundle)
    manifest = json.loads(members[MANIFEST])
    manifest["files"] = [file for file in manifest["files"] if file["name"] != JUDGES]
    members[MANIFEST] = json.dumps(manifest).encode()
    del members[JUDGES]
    assert f"{bundle}/{WORKERS}:1: worker" in refused(packed(bundle, members))


def test_gains_that_the_judgments_do_not_make_are_refused(whole: bytes, bundle: Path) -> None:
    """With sums that agree: a bundle says what was found, and must bear it out."""
    members = members_of(whole, bundle)
    topic, zero, document, gain = members["gains.txt"].splitlines()[2].decode().split("\t")
    near = f"{topic}\t{zero}\t{document}\t{float(gain) * (1 + 1e-14)!r}"
    far = f"{topic}\t{zero}\t{document}\t{float(gain) * 1.001!r}"
    lines = members["gains.txt"].decode().splitlines()
    for changed, said in ((near, None), (far, ":3"), ("rubbish", ":3"), (f"{near}\n{near}", ":4")):
        text = "\n".join([*lines[:2], changed, *lines[3:], ""])
        path = str(packed(bundle, members | {"gains.txt": text.encode()}))
        before = Study.objects.count()
        if said is None:
            with transaction.atomic():
                call_command("import_study", path, slug="near", stdout=StringIO())
                transaction.set_rollback(True)
            continue
        with pytest.raises(CommandError) as refusal:
            call_command("import_study", path, stdout=StringIO())
        assert str(refusal.value).startswith(f"{path}/gains.txt{said}: ")
        assert Study.objects.count() == before


def ends_well(path: Path) -> bool:
    """Whether an import ends in a study, or in a refusal that names the bundle and leaves nothing behind.

    Any other exception goes through. What was imported is taken back.
    """
    before = Study.objects.count()
    with transaction.atomic():
        try:
            import_study(path, now=NOW)
            ended = Study.objects.count() == before + 1
        except StudyRefusedError as refusal:
            named = all(line.startswith(str(path)) for line in refusal.lines)
            ended = bool(refusal.lines) and named and Study.objects.count() == before
        transaction.set_rollback(True)
    return ended


@given(data=st.data())
def test_flipped_bits_end_in_no_traceback(whole: bytes, bundle: Path, data: st.DataObject) -> None:
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    bundle.write_bytes(damaged[: data.draw(st.sampled_from([len(whole), len(whole) // 2]))])
    assert ends_well(bundle)


@given(data=st.data())
def test_flipped_bits_of_the_directory_end_in_no_traceback(
    whole: bytes, bundle: Path, data: st.DataObject
) -> None:
    start = whole.index(b"PK\x01\x02")
    damaged = bytearray(whole)
    damaged[data.draw(st.integers(start, len(whole) - 1))] = data.draw(st.integers(0, 255))
    bundle.write_bytes(damaged)
    assert ends_well(bundle)


ODD = st.sampled_from(
    [
        *(None, "", "x", "401", 0, -1, 1, 2**40, 10**400, 1.5, 1e308, True, [], {}, [1], [None], "\ud800"),
        *("2026-03-02T09:00:00Z", "0001-01-01T00:00:00+23:59", "NaN", "1e999", [[]], {"a": 1}, "completed"),
    ]
)


@given(data=st.data())
def test_odd_values_end_in_no_traceback(whole: bytes, bundle: Path, data: st.DataObject) -> None:
    members = members_of(whole, bundle)
    name = data.draw(st.sampled_from([member.name for member in MEMBERS]))
    lines = members[name].splitlines(keepends=True)
    place = data.draw(st.integers(0, len(lines) - 1))
    row = json.loads(lines[place])
    inner = data.draw(st.sampled_from([row, *(item for item in row.values() if isinstance(item, dict))]))
    assume(inner)
    inner[data.draw(st.sampled_from(sorted(inner)))] = data.draw(ODD)
    lines[place] = json.dumps(row).encode() + b"\n"
    members[name] = b"".join(lines)
    assert ends_well(packed(bundle, members))


@given(data=st.data())
def test_an_altered_manifest_ends_in_no_traceback(whole: bytes, bundle: Path, data: st.DataObject) -> None:
    members = members_of(whole, bundle)
    manifest = json.loads(members[MANIFEST])
    target = data.draw(st.sampled_from([manifest, *manifest["files"]]))
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(ODD)
    members[MANIFEST] = json.dumps(manifest).encode()
    assert ends_well(packed(bundle, members, summed=False))
