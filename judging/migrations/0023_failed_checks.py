"""Failures of checks, and the shares watched, move from a column for each check to one for all checks."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SHARES = ("failed_units", "failed_a", "failed_b", "failed_c", "failed_d")


def move(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Assignment, Watch = apps.get_model("judging", "Assignment"), apps.get_model("judging", "Watch")
    attempts = Assignment.objects.order_by()
    attempts.filter(failed_finishes__isnull=True).update(failed_checks=None)
    counted = attempts.filter(failed_finishes__gt=0)
    # One statement for each pair of counts, of which there are few.
    for c, d in list(counted.values_list("failed_c", "failed_d").distinct()):
        counts = {letter: number for letter, number in (("c", c), ("d", d)) if number}
        counted.filter(failed_c=c, failed_d=d).update(failed_checks=counts)
    for watch in Watch.objects.all():
        watch.shares = {name: getattr(watch, name) for name in SHARES if getattr(watch, name) is not None}
        watch.save(update_fields=["shares"])


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0022_anchor_reason'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='assignment',
            name='assignment_start_and_counts_known_together',
        ),
        migrations.RemoveIndex(
            model_name='assignment',
            name='assignment_ended',
        ),
        migrations.AddField(
            model_name='assignment',
            name='failed_checks',
            field=models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Letter of a check → finishes that failed it; without those that never failed.', null=True),
        ),
        migrations.AddField(
            model_name='watch',
            name='shares',
            field=models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Name of a share → the whole percent of it that is told of.'),
        ),
        migrations.RunPython(move, migrations.RunPython.noop),
        # The columns stay for now: the version before writes them. The models know them no more.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(
                    model_name='watch',
                    name='watch_failed_units_is_a_percentage',
                ),
                migrations.RemoveConstraint(
                    model_name='watch',
                    name='watch_failed_a_is_a_percentage',
                ),
                migrations.RemoveConstraint(
                    model_name='watch',
                    name='watch_failed_b_is_a_percentage',
                ),
                migrations.RemoveConstraint(
                    model_name='watch',
                    name='watch_failed_c_is_a_percentage',
                ),
                migrations.RemoveConstraint(
                    model_name='watch',
                    name='watch_failed_d_is_a_percentage',
                ),
                migrations.RemoveField(
                    model_name='assignment',
                    name='failed_c',
                ),
                migrations.RemoveField(
                    model_name='assignment',
                    name='failed_d',
                ),
                migrations.RemoveField(
                    model_name='watch',
                    name='failed_a',
                ),
                migrations.RemoveField(
                    model_name='watch',
                    name='failed_b',
                ),
                migrations.RemoveField(
                    model_name='watch',
                    name='failed_c',
                ),
                migrations.RemoveField(
                    model_name='watch',
                    name='failed_d',
                ),
                migrations.RemoveField(
                    model_name='watch',
                    name='failed_units',
                ),
            ],
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['topic', 'state', 'ended_at', 'judgments_deleted_at', 'unit', 'judgment_count', 'back_uses', 'failed_checks', 'failed_finishes'], name='assignment_ended'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('back_uses__isnull', False), ('failed_checks__isnull', False), ('failed_finishes__isnull', False), ('revisions__isnull', False), ('started_at__isnull', False)), models.Q(('back_uses__isnull', True), ('failed_checks__isnull', True), ('failed_finishes__isnull', True), ('revisions__isnull', True), ('started_at__isnull', True), ('state', 'completed')), _connector='OR'), name='assignment_start_and_counts_known_together'),
        ),
    ]
