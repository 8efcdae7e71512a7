"""Files made to harm: each is told in a sentence, in bounded memory, in time that grows with its length."""

import gzip
import json
import os
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client

from judging.core.faults import Faults, StudyRefusedError, Where
from judging.models import Document, Study
from judging.setup.intake.column_maps import Format
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.document_files import READERS, read_documents
from judging.setup.intake.readers.runs import read_study_run
from judging.setup.intake.toml_file import read_study_file
from judging.setup.study_files.importing import import_study
from tests.factories import NOW, make_study, make_worker
from tests.setup.intake.folder import StudyFolder
from tests.support.named import assert_names
from tests.worker.pages.conftest import Clock

ROOT: Final = Path(__file__).resolve().parents[2]
MEGABYTES: Final = 300
FORMS: Final = ("jsonl", "csv", "trec", "cranfield", "topics", "queries", "grades", "run", "study")


def told(*files: tuple[str, Path]) -> list[dict[str, Any]]:
    """What is said of files by a process that may take 300 MB for reading them all."""
    words = [str(word) for pair in files for word in pair]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings", "POLARS_MAX_THREADS": "1"}
    command = [sys.executable, "-m", "tests.safety.reading", str(MEGABYTES), *words]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_endless_lines_and_bombs_are_told_in_bounded_memory(tmp_path: Path) -> None:
    """A line of 200 MB in every format, and a gzip file of 3 MB that unpacks to 3 GB."""
    endless = tmp_path / "endless"
    with endless.open("wb") as file:
        file.truncate(200 << 20)
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress((b" " * 65_535 + b"\n") * 16) * 3000)
    files = [
        *((form, endless) for form in FORMS),
        *((form, bomb) for form in ("trec", "topics", "run", "study")),
    ]
    for (form, path), found in zip(files, told(*files), strict=True):
        (fault,) = found["faults"]
        assert found["read"] is None, form
        assert fault.startswith(f"{path}:1:" if path is endless else f"{path}:"), form
        assert_names(fault, "16 MB" if path is endless else "50")


@pytest.mark.parametrize("encoding", ["utf-8", pytest.param("latin-1", marks=pytest.mark.long)])
def test_a_packed_run_takes_no_more_memory_than_the_site_accepts_unpacked(
    tmp_path: Path, settings: Any, encoding: str
) -> None:
    settings.UPLOAD_MEGABYTES = 2
    rows = [f"T{number % 7} Q0 d{number} {number} {number / 7} tag\n" for number in range(2_000_000)]
    small, large = tmp_path / "small.gz", tmp_path / "large.gz"
    small.write_bytes(gzip.compress("".join(rows[:50_000]).encode(), 1))
    large.write_bytes(gzip.compress("".join(rows).encode(), 1))
    assert large.stat().st_size * 50 > len("".join(rows)) > 60 << 20, "text may well be packed like this"
    faults = Faults()
    run, _ = read_study_run(SourceFile(small, Where("study.toml", 1), "", faults, encoding), ["T1"])
    assert run is not None
    del rows
    tracemalloc.start()
    try:
        found, _ = read_study_run(SourceFile(large, Where("study.toml", 1), "", faults, encoding), ["T1"])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found is None
    assert peak < 8 << 20
    (fault,) = faults.listed
    assert_names(str(fault), "large.gz", "2 MB")


LONG: Final = 400_000
"""So many marks that what looks again from each of them would look for hours."""


@pytest.mark.parametrize(
    "inside",
    [
        "<!--" * LONG,
        "<TI>" * LONG,
        "<TITLE><HEAD>" * LONG,
        "<DOCNO>" * LONG,
        "<TEXT>" * LONG,
        "&lt" * LONG,
        "<" * LONG,
        "&#x" * LONG,
        "\n" + " " * LONG,
    ],
    ids=lambda text: text[:13].strip() or "blanks",
)
def test_no_text_of_tags_takes_longer_than_its_length(tmp_path: Path, inside: str) -> None:
    """Were one of the patterns to look on from every mark, this would take hours: the suite would notice."""
    path = tmp_path / "d.sgml"
    path.write_text(f"<DOC>\n<DOCNO> A-1 </DOCNO>\n<TEXT>\n{inside}\n</TEXT>\n</DOC>\n")
    faults = Faults()
    (document,) = READERS["trec"](SourceFile(path, Where("s", 1), "path", faults))
    assert (document.id, faults.count) == ("A-1", 0)


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    """A billion laughs, and an external entity: the markup of a document type is no part of any document."""
    path = tmp_path / "d.sgml"
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
    head = f'<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ENTITY l0 "lol">\n{levels}'
    path.write_text(
        f'{head}<!ENTITY file SYSTEM "file:///etc/passwd">]>\n'
        "<DOC><DOCNO>A</DOCNO><TEXT>One &l9; two &file; three &amp;l9;</TEXT></DOC>\n"
    )
    (document,) = READERS["trec"](SourceFile(path, Where("s", 1), "path", Faults()))
    assert document.text == "One &l9; two &file; three &l9;"


# --- JSON, CSV and TOML ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("[" * 200_000, "JSON"),
        ('{"a":' * 200_000, "JSON"),
        ('{"id": ' + "9" * 10_000 + ', "text": "x"}', "JSON"),
        ('{"id": ' + "9" * 4_000 + ', "text": "x"}', "id"),
        ('{"id": NaN, "text": "x"}', "NaN"),
        ('{"id": -Infinity, "text": "x"}', "-Infinity"),
        ('{"id": 1e999999, "text": "x"}', "Infinity"),
        ('{"id": "a", "text": "\\ud800"}', "text"),
        ('{"id": "a", "text": "\\u0000"}', "NUL"),
        ('{"id": "a b", "text": "x"}', ":1: id"),
        ("[]", ":1"),
        ("null", ":1"),
    ],
    ids=lambda text: text[:20],
)
def test_json(tmp_path: Path, line: str, named: str) -> None:
    assert_names(fault_of("jsonl", tmp_path, f"{line}\n".encode()), named)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"a," * 1_000_000 + b"a\n", ["id"]),
        (b"id,text," + b"x," * 1_000_000 + b"x\n1,2\n", ["2", "1000003"]),
        (b"id,text\n" + b"," * 1_000_000 + b"\n", ["1000001", "2"]),
        (b'id,text\n1,"' + (b"x" * 999 + b"\n") * 20_000, ["CSV"]),
        (b'id,text\n1,"x"y"\n', ["CSV"]),
    ],
    ids=["columns", "columns beside", "cells", "a quote without end", "quotes"],
)
def test_csv(tmp_path: Path, content: bytes, named: list[str]) -> None:
    assert_names(fault_of("csv", tmp_path, content).partition("d.csv")[2], *named)


def fault_of(form: str, folder: Path, content: bytes) -> str:
    """The one sentence that is told of a file of documents, which gives no document."""
    path = folder / f"d.{form}"
    path.write_bytes(content)
    faults = Faults()
    assert list(read_documents(SourceFile(path, Where("s", 1), "path", faults), Format(form))) == []
    (fault,) = faults.listed
    assert "\n" not in str(fault)
    assert len(str(fault)) < 300 + len(str(path))
    return str(fault)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a = " + "[" * 100_000, []),
        ("a = " + "{a=" * 100_000, []),
        (f"[{'a.' * 1_000_000}a]\n", ["50"]),
        (f"{'a.' * 1_000_000}a = 1\n", ["50"]),
        (f"x = [{{{'a . ' * 1_000_000}a = 1}}]\n", ["50"]),
        (f"{'a.' * 30}a = 1\n", ["12"]),
        (f"a = {'9' * 10_000}\n", []),
        (f"a = {'[' * 20}{']' * 20}\n", ["12"]),
    ],
    ids=["lists", "tables", "header", "key", "inline key", "short key", "number", "a little"],
)
def test_toml(tmp_path: Path, text: str, named: list[str]) -> None:
    path = tmp_path / "study.toml"
    path.write_text(text)
    faults = Faults()
    assert read_study_file(path, faults) is None
    (fault,) = faults.listed
    assert_names(str(fault), "study.toml", *named)


# --- encodings ---------------------------------------------------------------------------------------------

TEXT: Final = "<DOC><DOCNO>A</DOCNO><TEXT>Étude</TEXT></DOC>\n"


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (TEXT.encode("utf-16"), "UTF-16"),
        (TEXT.encode("utf-32"), "UTF-8"),
        (TEXT.encode("latin-1"), "UTF-8"),
        (b"<DOC><DOCNO>A</DOCNO><TEXT>\xc0\xaf overlong</TEXT></DOC>\n", "UTF-8"),
        (b"<DOC><DOCNO>A</DOCNO><TEXT>\xed\xa0\x80 half</TEXT></DOC>\n", "UTF-8"),
        (b"<DOC><DOCNO>A</DOCNO><TEXT>NUL \0 inside</TEXT></DOC>\n", "NUL"),
        (b"<DOC><DOCNO>A\0B</DOCNO><TEXT>x</TEXT></DOC>\n", ":1"),
    ],
    ids=["utf-16", "utf-32", "latin-1", "overlong", "half", "NUL", "NUL in an id"],
)
def test_encodings(tmp_path: Path, content: bytes, named: str) -> None:
    assert_names(fault_of("trec", tmp_path, content), named)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_wide_encodings_without_a_mark_are_told(db: None, tmp_path: Path, encoding: str) -> None:
    """Such a file is UTF-8 as far as it goes, with a NUL behind every letter."""
    folder = StudyFolder(tmp_path / "s")
    wide = folder.read("documents.jsonl").encode(encoding)
    (folder.path / "documents.jsonl").write_bytes(wide)
    with pytest.raises(StudyRefusedError) as refused:
        import_study(folder.path / "study.toml", now=NOW)
    assert any("documents.jsonl:1" in line for line in refused.value.lines)
    assert not Study.objects.exists()


def test_what_turns_the_direction_round_is_kept_and_stands_in_blocks_of_its_own(
    clock: Clock, client: Client
) -> None:
    """Browsers isolate a block: a mark of direction in a text works inside it alone."""
    turned = "abc\u202edef\u200b\u2066ghi\u200f\ufeff"
    study = make_study(topics=1)
    Document.objects.update(title=f"T{turned}", text=f"P{turned}")
    worker = make_worker(study, upto="judging", now=clock.now)
    page = client.get(f"/s/study/resume/{worker.token}/", follow=True).content.decode()
    shown = [
        (start, text.strip(), end)
        for start, text, end in re.findall(r"<(\w+)[^<>]*>([^<>]*\u202e[^<>]*)</(\w+)>", page)
    ]
    assert shown == [("h1", f"T{turned}", "h1"), ("p", f"P{turned}", "p")]
