"""Delete the stored reports: their tables have other keys and columns now. Pages request them again."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def delete_reports(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("judging", "Report").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("judging", "0040_adaptive")]
    operations = [migrations.RunPython(delete_reports, migrations.RunPython.noop)]
