"""The magnitudes of failed tries move from the judgments, which had the last one's, to the attempt."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def move(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Keep the last failed try of each attempt that may still go on."""
    Assignment = apps.get_model("judging", "Assignment")
    going_on = models.Q(state="revising") | models.Q(state="lapsed", answers_kept=True)
    for assignment in Assignment.objects.filter(going_on, failed_finishes__gt=0).iterator():
        last = assignment.judgments.order_by("position").values_list("checked_magnitude", flat=True)
        if last and None not in last:
            assignment.failed_magnitudes = [list(last)]
            assignment.save(update_fields=["failed_magnitudes"])


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0017_reservations_per_address'),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='failed_magnitudes',
            field=models.JSONField(blank=True, help_text='Of each failed finish the magnitudes by position, as long as the answers are there.', null=True),
        ),
        migrations.AlterField(
            model_name='event',
            name='tau',
            field=models.FloatField(blank=True, help_text="(c): Kendall's τ with the try before; if inverted, the lowest with an earlier try.", null=True),
        ),
        migrations.RunPython(move, migrations.RunPython.noop),
        # The column stays for now: the version before writes it. The models know it no more.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(
                    model_name='judgment',
                    name='judgment_checked_magnitude_bounded',
                ),
                migrations.RemoveField(
                    model_name='judgment',
                    name='checked_magnitude',
                ),
            ],
        ),
    ]
