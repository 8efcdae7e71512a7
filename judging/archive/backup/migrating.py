"""Apply the migrations of a backup to a database, and then all newer migrations."""

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from judging.archive.backup.schema import Migration, Schema


def migrate_to(wanted: set[Migration], schema: Schema) -> None:
    """Apply the `wanted` migrations, one by one. The database must not have any other migrations."""
    executor = step_by_step()
    nodes = executor.loader.graph.node_map
    chosen = {name for name in nodes if schema.in_full([name]) <= wanted}
    executor.migrate(
        sorted(name for name in chosen if not {child.key for child in nodes[name].children} & chosen)
    )


def migrate_to_newest() -> None:
    """Apply the migrations that the database lacks, as `manage.py migrate` does."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0, interactive=False)


def step_by_step() -> MigrationExecutor:
    """Return an executor that ignores a squashed migration if all migrations that it replaces exist."""
    executor = MigrationExecutor(connection)
    loader = executor.loader
    loader.replace_migrations = False  # type: ignore[attr-defined]  # missing from the stubs
    loader.build_graph()
    for name, squashed in loader.replacements.items():
        if set(squashed.replaces) <= loader.disk_migrations.keys():
            loader.graph.remove_replacement_node(name, squashed.replaces)
    return executor
