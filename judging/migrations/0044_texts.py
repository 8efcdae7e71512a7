"""What workers read if only the time check failed."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0043_truth'),
    ]

    operations = [
        migrations.AddField(
            model_name='study',
            name='failure_message',
            field=models.CharField(choices=[('named', 'named'), ('paper', 'paper')], db_default='named', default='named', help_text='Whether the page names the check if only the time check failed.', max_length=5),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('failure_message__in', ('named', 'paper'))), name='study_failure_message_known'),
        ),
    ]
