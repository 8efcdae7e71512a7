"""Documents that workers cannot judge, and studies that take decimals alone."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0032_earlier_numbers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='assignment',
            name='assignment_state_known',
        ),
        migrations.RemoveConstraint(
            model_name='assignment',
            name='assignment_compensation_only_when_ended_unpaid',
        ),
        migrations.RemoveConstraint(
            model_name='event',
            name='event_kind_known',
        ),
        migrations.AddField(
            model_name='event',
            name='document',
            field=models.ForeignKey(blank=True, help_text='What a worker could not judge.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='judging.pooldocument'),
        ),
        migrations.AddField(
            model_name='event',
            name='fault',
            field=models.CharField(blank=True, choices=[('broken', 'broken'), ('language', 'language'), ('other', 'other')], help_text='Why a worker could not judge the document.', max_length=8),
        ),
        migrations.AddField(
            model_name='study',
            name='numbers',
            field=models.CharField(choices=[('any', 'any'), ('decimals', 'decimals')], db_default='any', default='any', help_text='Whether workers can type fractions as well as decimals.', max_length=8),
        ),
        migrations.AddField(
            model_name='watch',
            name='reported',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='state',
            field=models.CharField(choices=[('question', 'question'), ('judging', 'judging'), ('revising', 'revising'), ('completed', 'completed'), ('comprehension_failed', 'comprehension failed'), ('checks_failed', 'checks failed'), ('lapsed', 'lapsed'), ('returned', 'returned'), ('cancelled', 'cancelled'), ('reported', 'reported')], default='question', max_length=20),
        ),
        migrations.AlterField(
            model_name='event',
            name='kind',
            field=models.CharField(choices=[('practice_failed', 'practice failed'), ('comprehension_failed', 'comprehension failed'), ('anchors_failed', 'anchors failed'), ('time_failed', 'time failed'), ('order_inverted', 'order inverted'), ('checks_failed', 'checks failed'), ('lapsed', 'lapsed'), ('reinstated', 'reinstated'), ('extended', 'extended'), ('reason_asked', 'reason asked'), ('returned', 'returned'), ('returned_late', 'returned late'), ('cancelled', 'cancelled'), ('reported', 'reported'), ('screened_out', 'screened out'), ('blocked', 'blocked'), ('withdrawn', 'withdrawn'), ('same_browser', 'same browser')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['question', 'judging', 'revising', 'completed', 'comprehension_failed', 'checks_failed', 'lapsed', 'returned', 'cancelled', 'reported'])), name='assignment_state_known'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('compensation', 0), models.Q(('compensation__gt', 0), ('state__in', ['cancelled', 'checks_failed', 'lapsed', 'reported', 'returned'])), _connector='OR'), name='assignment_compensation_only_when_ended_unpaid'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['practice_failed', 'comprehension_failed', 'anchors_failed', 'time_failed', 'order_inverted', 'checks_failed', 'lapsed', 'reinstated', 'extended', 'reason_asked', 'returned', 'returned_late', 'cancelled', 'reported', 'screened_out', 'blocked', 'withdrawn', 'same_browser'])), name='event_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('document__isnull', True), ('fault', '')), models.Q(('document__isnull', False), ('fault__in', ['broken', 'language', 'other'])), _connector='OR'), name='event_fault_of_a_document'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('numbers__in', ('any', 'decimals'))), name='study_numbers_known'),
        ),
    ]
