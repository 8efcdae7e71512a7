"""Whether workers see their earlier numbers, whether going on early is said, and reasons asked about."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0031_fairness'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='event',
            name='event_kind_known',
        ),
        migrations.AddField(
            model_name='study',
            name='early_next',
            field=models.CharField(choices=[('silent', 'silent'), ('warn', 'warn')], db_default='silent', default='silent', help_text='What happens if a worker goes on before the minimum seconds of a document.', max_length=6),
        ),
        migrations.AddField(
            model_name='study',
            name='show_previous',
            field=models.CharField(choices=[('none', 'none'), ('last', 'last'), ('all', 'all')], db_default='none', default='none', help_text='Which of their earlier numbers in the unit workers see below a document.', max_length=4),
        ),
        migrations.AlterField(
            model_name='event',
            name='kind',
            field=models.CharField(choices=[('practice_failed', 'practice failed'), ('comprehension_failed', 'comprehension failed'), ('anchors_failed', 'anchors failed'), ('time_failed', 'time failed'), ('order_inverted', 'order inverted'), ('checks_failed', 'checks failed'), ('lapsed', 'lapsed'), ('reinstated', 'reinstated'), ('extended', 'extended'), ('reason_asked', 'reason asked'), ('returned', 'returned'), ('returned_late', 'returned late'), ('cancelled', 'cancelled'), ('screened_out', 'screened out'), ('blocked', 'blocked'), ('withdrawn', 'withdrawn'), ('same_browser', 'same browser')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['practice_failed', 'comprehension_failed', 'anchors_failed', 'time_failed', 'order_inverted', 'checks_failed', 'lapsed', 'reinstated', 'extended', 'reason_asked', 'returned', 'returned_late', 'cancelled', 'screened_out', 'blocked', 'withdrawn', 'same_browser'])), name='event_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('show_previous__in', ('none', 'last', 'all'))), name='study_show_previous_known'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('early_next__in', ('silent', 'warn'))), name='study_early_next_known'),
        ),
    ]
