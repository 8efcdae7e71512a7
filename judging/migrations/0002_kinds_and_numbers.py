"""Give each participation and unit a kind of judge, in place of the mark `simulated`.

Call numbers that can be magnitudes or ratings `number`.

The statements have no effect on the data of people: a kind is `person` by default.
"""

import judging.protocol.judges
from django.db import migrations, models

OF_REHEARSALS = (
    "UPDATE judging_unit SET kind = '{kind}' WHERE topic_id IN (SELECT judging_topic.id FROM judging_topic"
    " JOIN judging_study ON judging_study.id = judging_topic.study_id WHERE judging_study.simulated)"
)


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0001_version_0_1_0'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='judgment',
            name='judgment_magnitude_bounded',
        ),
        migrations.RenameField(
            model_name='judgment',
            old_name='magnitude',
            new_name='number',
        ),
        migrations.RenameField(
            model_name='assignment',
            old_name='failed_magnitudes',
            new_name='failed_numbers',
        ),
        migrations.AlterField(
            model_name='assignment',
            name='failed_numbers',
            field=models.JSONField(blank=True, help_text='Of each failed finish the numbers by position, as long as the answers are there.', null=True),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.CheckConstraint(condition=models.Q(('number__isnull', True), models.Q(('number__gte', 1e-100), ('number__lte', 1e+100)), ('number', 0), _connector='OR'), name='judgment_number_bounded'),
        ),
        migrations.RemoveConstraint(
            model_name='participation',
            name='participation_simulated_exactly_with_a_kind',
        ),
        migrations.RemoveIndex(
            model_name='assignment',
            name='assignment_ended',
        ),
        migrations.RemoveIndex(
            model_name='assignment',
            name='assignment_paid',
        ),
        migrations.RemoveIndex(
            model_name='event',
            name='event_counted',
        ),
        migrations.RemoveIndex(
            model_name='unit',
            name='unit_by_topic_and_state',
        ),
        migrations.AddField(
            model_name='participation',
            name='kind',
            field=models.CharField(choices=judging.protocol.judges.kind_choices, db_default='person', default='person', help_text='Of judge: a person, unless stated.', max_length=20),
        ),
        migrations.AddField(
            model_name='unit',
            name='kind',
            field=models.CharField(choices=judging.protocol.judges.kind_choices, db_default='person', default='person', help_text='Of the judges that can reserve it.', max_length=20),
        ),
        migrations.AddField(
            model_name='workerlink',
            name='kind',
            field=models.CharField(choices=judging.protocol.judges.kind_choices, db_default='person', default='person', help_text='Of the judge who can begin with it.', max_length=20),
        ),
        migrations.RunSQL(
            "UPDATE judging_participation SET kind = 'simulated' WHERE simulated",
            "UPDATE judging_participation SET simulated = (kind = 'simulated')",
        ),
        migrations.RunSQL(OF_REHEARSALS.format(kind='simulated'), migrations.RunSQL.noop),
        migrations.RemoveField(
            model_name='participation',
            name='simulated',
        ),
        migrations.RenameField(
            model_name='participation',
            old_name='simulated_kind',
            new_name='behaviour',
        ),
        migrations.AlterField(
            model_name='participation',
            name='behaviour',
            field=models.CharField(blank=True, help_text='Of a simulated judge, such as careful or spammer.', max_length=20),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['topic', 'state', 'ended_at', 'judgments_deleted_at', 'unit', 'judgment_count', 'back_uses', 'failed_checks', 'failed_finishes', 'participation'], name='assignment_ended'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['topic', 'state', 'pay', 'compensation', 'pay_decision', 'paid_at', 'participation'], name='assignment_paid'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['study', 'topic', 'kind', 'anchors', 'option', 'check_name', 'participation'], name='event_counted'),
        ),
        migrations.AddIndex(
            model_name='unit',
            index=models.Index(fields=['topic', 'kind', 'state', 'excluded_at'], name='unit_by_topic_kind_state'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('kind', 'simulated'), _negated=True), ('behaviour', '')), models.Q(('kind', 'simulated'), models.Q(('behaviour', ''), _negated=True)), _connector='OR'), name='participation_simulated_exactly_with_a_behaviour'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.CheckConstraint(condition=models.Q(('kind', ''), _negated=True), name='participation_kind_set'),
        ),
        migrations.AddConstraint(
            model_name='unit',
            constraint=models.CheckConstraint(condition=models.Q(('kind', ''), _negated=True), name='unit_kind_set'),
        ),
    ]
