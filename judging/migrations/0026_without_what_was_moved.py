"""Drop what 0018, 0023 and 0025 have moved elsewhere: columns of checks, and the table of drafts."""

from typing import Any

from django.db import migrations

MOVED = {
    "Assignment": {"failed_c", "failed_d"},
    "Judgment": {"checked_magnitude"},
    "Watch": {"failed_units", "failed_a", "failed_b", "failed_c", "failed_d"},
}
"""Columns that the models do not know any more; SQLite has lost some of them already."""


def drop(apps: Any, schema_editor: Any) -> None:
    connection = schema_editor.connection
    for name, columns in MOVED.items():
        model = apps.get_model("judging", name)
        table = model._meta.db_table
        with connection.cursor() as cursor:
            there = {column.name for column in connection.introspection.get_table_description(cursor, table)}
        if not columns & there:
            continue
        if connection.vendor == "sqlite":
            schema_editor._remake_table(model)  # its constraints name the columns, which could not be dropped
        else:
            parts = ", ".join(f'DROP COLUMN "{column}"' for column in sorted(columns & there))
            schema_editor.execute(f'ALTER TABLE "{table}" {parts}')


class Migration(migrations.Migration):
    dependencies = [("judging", "0025_drafts_to_studies")]

    operations = [
        migrations.DeleteModel("Draft"),
        migrations.RunPython(drop),
    ]
