"""Whether workers see their earlier numbers, and whether going on early is said."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0031_fairness'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('show_previous__in', ('none', 'last', 'all'))), name='study_show_previous_known'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('early_next__in', ('silent', 'warn'))), name='study_early_next_known'),
        ),
    ]
