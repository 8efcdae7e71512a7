"""What failing the checks pays, limits on the units of a worker and a visit, and more time for a unit, once."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0030_column_maps'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='event',
            name='event_kind_known',
        ),
        migrations.RemoveConstraint(
            model_name='study',
            name='study_compensation_not_negative',
        ),
        migrations.AddField(
            model_name='assignment',
            name='extended',
            field=models.BooleanField(db_default=False, default=False, help_text='The worker has asked for more time, which is given once.'),
        ),
        migrations.AddField(
            model_name='platformsubmission',
            name='first_linked_at',
            field=models.DateTimeField(help_text='When the worker first came with it; empty where it is older than this field.', null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='max_units_per_visit',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Units that a worker can complete in a visit. Empty: unlimited.', null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='max_units_per_worker',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Units that a worker can complete. Empty: one for each topic.', null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='pay_checks_failed',
            field=models.DecimalField(db_default=0, decimal_places=2, default=0, help_text='For a unit that ends because the worker has no attempts left to finish it.', max_digits=8),
        ),
        migrations.AlterField(
            model_name='event',
            name='kind',
            field=models.CharField(choices=[('practice_failed', 'practice failed'), ('comprehension_failed', 'comprehension failed'), ('anchors_failed', 'anchors failed'), ('time_failed', 'time failed'), ('order_inverted', 'order inverted'), ('checks_failed', 'checks failed'), ('lapsed', 'lapsed'), ('reinstated', 'reinstated'), ('extended', 'extended'), ('returned', 'returned'), ('returned_late', 'returned late'), ('cancelled', 'cancelled'), ('screened_out', 'screened out'), ('blocked', 'blocked'), ('withdrawn', 'withdrawn'), ('same_browser', 'same browser')], max_length=20),
        ),
        migrations.AlterField(
            model_name='platformsubmission',
            name='linked_at',
            field=models.DateTimeField(help_text='When the worker last came with this id.'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['practice_failed', 'comprehension_failed', 'anchors_failed', 'time_failed', 'order_inverted', 'checks_failed', 'lapsed', 'reinstated', 'extended', 'returned', 'returned_late', 'cancelled', 'screened_out', 'blocked', 'withdrawn', 'same_browser'])), name='event_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('max_units_per_worker__isnull', True), ('max_units_per_worker__gte', 1), _connector='OR'), name='study_max_units_per_worker_at_least_one'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('max_units_per_visit__isnull', True), ('max_units_per_visit__gte', 1), _connector='OR'), name='study_max_units_per_visit_at_least_one'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('pay_cancelled__gte', 0), ('pay_checks_failed__gte', 0), ('pay_screened_out__gte', 0)), name='study_compensation_not_negative'),
        ),
    ]
