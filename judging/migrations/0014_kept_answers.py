from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Exists, OuterRef


def tell(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Attempts that lapsed before, and still have answers."""
    Assignment, Judgment = apps.get_model("judging", "Assignment"), apps.get_model("judging", "Judgment")
    answers = Judgment.objects.filter(assignment=OuterRef("pk"))
    Assignment.objects.filter(Exists(answers), state="lapsed").update(answers_kept=True)


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0013_entry'),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='answers_kept',
            field=models.BooleanField(db_default=False, default=False, help_text='Of an attempt that lapsed: its writer may still see what was typed, or go on.'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('answers_kept', True)), fields=['ended_at'], name='assignment_with_kept_answers'),
        ),
        migrations.RunPython(tell, migrations.RunPython.noop),
    ]
