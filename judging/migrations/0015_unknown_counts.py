from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F

IMPORTED = "imported"


def forget_made_up_values(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Empty what earlier imports of judgments filled in, though their files did not say it.

    Revisions and visible times are emptied in studies where all of them are 0: no file gave them there.
    """
    Assignment, Judgment = apps.get_model("judging", "Assignment"), apps.get_model("judging", "Judgment")
    attempts = Assignment.objects.filter(participation__consent_version=IMPORTED)
    studies = list(attempts.order_by().values_list("participation__study", flat=True).distinct())
    for study in studies:
        theirs = Judgment.objects.filter(
            assignment__participation__consent_version=IMPORTED, assignment__participation__study=study
        )
        for field in ("revisions", "visible_seconds"):
            if not theirs.filter(**{f"{field}__gt": 0}).exists():
                theirs.update(**{field: None})
        # Where a file gave no time, its units ended in the moment of the import.
        theirs.filter(assignment__ended_at=F("assignment__participation__consented_at")).update(saved_at=None)
    Assignment.objects.filter(pk__in=attempts.values("pk")).update(
        started_at=None, back_uses=None, revisions=None, failed_finishes=None, failed_c=None, failed_d=None
    )


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0014_kept_answers'),
    ]

    operations = [
        migrations.AlterField(
            model_name='assignment',
            name='back_uses',
            field=models.PositiveIntegerField(default=0, help_text='Before the first finish.', null=True),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='failed_c',
            field=models.PositiveIntegerField(default=0, null=True),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='failed_d',
            field=models.PositiveIntegerField(default=0, null=True),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='failed_finishes',
            field=models.PositiveIntegerField(default=0, null=True),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='revisions',
            field=models.PositiveIntegerField(default=0, help_text='Uses of back after a failed check.', null=True),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='started_at',
            field=models.DateTimeField(blank=True, help_text='Empty where it came in a file.', null=True),
        ),
        migrations.AlterField(
            model_name='judgment',
            name='position',
            field=models.PositiveSmallIntegerField(help_text='From 0; empty where unknown.', null=True),
        ),
        migrations.AlterField(
            model_name='judgment',
            name='revisions',
            field=models.PositiveIntegerField(default=0, help_text='Changes of an answer given before; empty where unknown.', null=True),
        ),
        migrations.AlterField(
            model_name='judgment',
            name='visible_seconds',
            field=models.FloatField(default=0, help_text='With the page visible, as the browser says; empty where unknown.', null=True),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('back_uses__isnull', False), ('failed_c__isnull', False), ('failed_d__isnull', False), ('failed_finishes__isnull', False), ('revisions__isnull', False), ('started_at__isnull', False)), models.Q(('back_uses__isnull', True), ('failed_c__isnull', True), ('failed_d__isnull', True), ('failed_finishes__isnull', True), ('revisions__isnull', True), ('started_at__isnull', True), ('state', 'completed')), _connector='OR'), name='assignment_start_and_counts_known_together'),
        ),
        migrations.RunPython(forget_made_up_values, migrations.RunPython.noop),
    ]
