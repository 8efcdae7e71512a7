"""A backup that is made while workers judge is a site that nothing is wrong with."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event

import pytest
from django.db import connection
from pytest_django import Settings

from judging.archive.backup import making, open_backup, restore_site, write_backup
from judging.core.clock import now
from judging.models import Assignment, Study
from tests.archive.backup.conftest import use_folders
from tests.factories import judge_unit, make_study, make_worker
from tests.support.empty_database import empty_tables
from tests.support.integrity import broken_invariants

WORKERS = 2
PATIENCE = 60


class Crowd:
    """Workers in threads of their own, one after the other; `done` are the units that are taken in."""

    def __init__(self, study: Study) -> None:
        self.study, self.done = study, list[int]()
        self._over, self._more = Event(), Event()

    def live(self, number: int) -> None:
        try:
            for turn in range(10_000):
                if self._over.is_set():
                    return
                worker = make_worker(self.study, rng=Random(f"{number}/{turn}"))
                self.done.append(judge_unit(worker).pk)
                self._more.set()
        finally:
            connection.close()

    def wait_for_another(self) -> None:
        self._more.clear()
        assert self._more.wait(PATIENCE), "nobody is at work"

    def stop(self) -> None:
        self._over.set()


@contextmanager
def at_work(study: Study) -> Iterator[Crowd]:
    crowd = Crowd(study)
    with ThreadPoolExecutor(WORKERS) as pool:
        lives = [pool.submit(crowd.live, number) for number in range(WORKERS)]
        try:
            yield crowd
        finally:
            crowd.stop()
        for life in lives:
            life.result(PATIENCE)


def test_it_is_whole_and_nothing_that_was_taken_in_is_missing(
    database: str, tmp_path: Path, settings: Settings
) -> None:
    use_folders(settings, tmp_path / "var")
    taken: list[tuple[Path, list[int]]] = []
    with at_work(make_study(judgments_per_document=200)) as crowd:
        for number in range(3):
            crowd.wait_for_another()
            before, path = list(crowd.done), tmp_path / f"{number}.backup"
            write_backup(path, now=now())
            taken.append((path, before))
            crowd.wait_for_another()
    assert len(crowd.done) > len(taken[-1][1]), "nobody was at work any more"
    for path, before in taken:
        empty_tables()
        with open_backup(path) as backup:
            restore_site(backup)
        assert broken_invariants(Study.objects.get()) == []
        completed = Assignment.objects.filter(state="completed")
        assert set(before) <= set(completed.values_list("pk", flat=True))


def test_one_state_of_the_database_is_read_to_the_end(
    database: str, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes between two tables is in neither."""
    use_folders(settings, tmp_path / "var")
    study, lines_of = make_study(), making.lines_of

    def slowly(model: type) -> Iterator[bytes]:
        if model._meta.db_table == "judging_judgment":
            with ThreadPoolExecutor(1) as pool:
                pool.submit(work).result(PATIENCE)
        yield from lines_of(model)

    def work() -> None:
        try:
            judge_unit(make_worker(study))
        finally:
            connection.close()

    monkeypatch.setattr(making, "lines_of", slowly)
    result = write_backup(tmp_path / "site.backup", now=now())
    rows = {table.table: table.rows for table in result.tables}
    assert Assignment.objects.count() == 1
    assert (rows["judging_study"], rows["judging_assignment"], rows["judging_judgment"]) == (1, 0, 0)
