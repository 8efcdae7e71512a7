"""No migration holds up a site that is being judged on, but those that `docs/guides/deploying.md` names.

A linter holds that the version before can work with what a migration leaves. The rest is about the locks
while it runs: on PostgreSQL a constraint, an index or a rewritten column of a table that is there already
locks the table for as long as all its rows are read, which for a large table is longer than workers may wait.

On SQLite there is nothing to look at: a migration is one transaction, for which every writer waits.
"""

import re
from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django_migration_linter import MigrationLinter

from judging.archive.backup.migrating import step_by_step
from tests.support.processes import ROOT

LARGE = {
    "judging_assignment",
    "judging_document",
    "judging_event",
    "judging_judgment",
    "judging_knowngrade",
    "judging_participation",
    "judging_pooldocument",
    "judging_ranking",
    "judging_unit",
    "judging_unitdocument",
    "judging_visit",
}
"""The tables that grow with the judgments and the pools."""
_LOCKS = re.compile(
    r'^(?:ALTER TABLE "(?P<altered>\w+)" (?!.*NOT VALID)'
    r"(?:ADD CONSTRAINT|ADD COLUMN .*REFERENCES|ALTER COLUMN .* TYPE)"
    r'|CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY).* ON "(?P<indexed>\w+)")'
)
_CREATED = re.compile(r'^CREATE TABLE "(\w+)"')
LOOSER = {
    "0030_column_maps": "a collection can be used for several kinds, and files as before",
    "0049_anchor_pairs": "two columns of text become wider, and hold all that they held",
}
"""Migrations whose columns and unique constraints allow more than before, which no linter can see."""
_PYTHON = re.compile(r"^-- THIS OPERATION CANNOT BE WRITTEN AS SQL")


def held_up(statements: list[str]) -> Iterator[str]:
    """The large tables that these statements lock while they read all of their rows."""
    created = {result[1] for statement in statements if (result := _CREATED.match(statement))}
    for statement in statements:
        result = _LOCKS.match(statement)
        table = result and (result["altered"] or result["indexed"])
        if table in LARGE - created:
            yield table
        elif _PYTHON.match(statement):
            yield "rows rewritten by Python"


def named_in_the_documentation() -> dict[str, str]:
    """Migration → why it is let through, from the table in `docs/guides/deploying.md`."""
    text = (ROOT / "docs" / "guides" / "deploying.md").read_text()
    return dict(re.findall(r"^\| `(\d{4}_\w+)` \| (.+) \|$", text, re.MULTILINE))


def squashed() -> list[Migration]:
    return [
        migration for migration in MigrationLoader(connection).disk_migrations.values() if migration.replaces
    ]


def statements() -> dict[str, list[str]]:
    """Return the SQL of each of our migrations but squashed ones, which run on empty databases alone."""
    executor = step_by_step()
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)
    state, found = executor.loader.project_state(()), {}
    for migration, _ in plan:
        if migration.app_label != "judging":
            state = migration.mutate_state(state, preserve=False)
            continue
        with connection.schema_editor(collect_sql=True, atomic=migration.atomic) as editor:
            state = migration.apply(state, editor, collect_sql=True)
        found[migration.name] = editor.collected_sql
    return found


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_no_migration_stops_a_running_site_unless_the_documentation_says_so(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = statements()
    pausing = {name: tables for name, sql in ours.items() if (tables := sorted(set(held_up(sql))))}
    named = named_in_the_documentation()
    drops = {
        name for name, sql in ours.items() if any(re.match("DROP TABLE|.* DROP COLUMN", item) for item in sql)
    }
    assert set(pausing) | drops == set(named), pausing
    skipped = [name for name, why in named.items() if "pause" in why]
    skipped += [*(migration.name for migration in squashed()), *LOOSER]
    assert drops <= set(skipped)

    linter = MigrationLinter(path=str(ROOT), include_apps=["judging"], no_cache=True, ignore_name=skipped)
    monkeypatch.setattr(linter, "get_sql", lambda app, name: ours[name])
    linter.lint_all_migrations()
    assert linter.nb_total > 0
    assert not linter.has_errors, capsys.readouterr().out


@pytest.mark.parametrize(
    ("statement", "held"),
    [
        ('ALTER TABLE "judging_judgment" ADD CONSTRAINT "a" CHECK ("b" > 0);', True),
        ('ALTER TABLE "judging_judgment" ADD CONSTRAINT "a" CHECK ("b" > 0) NOT VALID;', False),
        ('ALTER TABLE "judging_judgment" ADD COLUMN "b" integer NULL;', False),
        ('ALTER TABLE "judging_unit" ADD COLUMN "b" bigint NULL CONSTRAINT "c" REFERENCES "d"("id");', True),
        ('ALTER TABLE "judging_unit" ALTER COLUMN "b" TYPE text USING "b"::text;', True),
        ('CREATE INDEX "a" ON "judging_event" ("b");', True),
        ('CREATE INDEX CONCURRENTLY "a" ON "judging_event" ("b");', False),
        ('CREATE UNIQUE INDEX "a" ON "judging_event" ("b");', True),
        ('CREATE INDEX "a" ON "judging_study" ("b");', False),
        ("-- THIS OPERATION CANNOT BE WRITTEN AS SQL", True),
    ],
)
def test_a_lock_is_recognised(statement: str, held: bool) -> None:
    assert bool(list(held_up([statement]))) is held


def test_a_new_table_holds_nobody_up() -> None:
    assert not list(
        held_up(['CREATE TABLE "judging_unit" ("id" bigint);', 'CREATE INDEX "a" ON "judging_unit" ("b");'])
    )


def test_a_migration_can_be_told_to_wait_for_no_lock(
    postgresql_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the units and the compose file do, by a variable of PostgreSQL's own."""
    unit = (ROOT / "deploy" / "systemd" / "plumbline-migrate.service").read_text()
    (options,) = re.findall(r'^Environment="PGOPTIONS=(.+)"$', unit, re.MULTILINE)
    assert f"PGOPTIONS: {options}\n" in (ROOT / "deploy" / "compose.yaml").read_text()
    assert f'PGOPTIONS="{options}"' in (ROOT / "docs" / "guides" / "deploying.md").read_text()
    monkeypatch.setenv("PGOPTIONS", options)
    with psycopg.connect(postgresql_server) as told:
        assert told.execute("SHOW lock_timeout").fetchone() == ("5s",)
