"""What stood at the last failed attempt to finish, in place of a mark that something was done since."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0041_reports_anew'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='assignment',
            name='changed',
        ),
        migrations.AddField(
            model_name='assignment',
            name='failed_digest',
            field=models.CharField(blank=True, db_default='', default='', help_text='Hash of the numbers, reasons and documents short of time at the last failed finish.', max_length=64),
        ),
    ]
