"""Prolific: the codes of a study, the status of submissions, and the messages that came."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0033_reports'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PlatformMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('platform', models.CharField(max_length=10)),
                ('message_id', models.CharField(max_length=200)),
                ('received_at', models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='study',
            name='study_platform_known',
        ),
        migrations.AddField(
            model_name='platformsubmission',
            name='platform_study',
            field=models.CharField(blank=True, db_default='', default='', help_text="The platform's id for its study.", max_length=200),
        ),
        migrations.AddField(
            model_name='platformsubmission',
            name='status',
            field=models.CharField(blank=True, db_default='', default='', help_text='What the platform said last.', max_length=20),
        ),
        migrations.AddField(
            model_name='platformsubmission',
            name='status_at',
            field=models.DateTimeField(help_text='When the platform said so.', null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='completion_code',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AddField(
            model_name='study',
            name='no_work_code',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AddField(
            model_name='study',
            name='screen_out_code',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AlterField(
            model_name='study',
            name='platform',
            field=models.CharField(choices=[('direct', 'direct'), ('generic', 'generic'), ('prolific', 'prolific')], default='direct', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('platform', 'direct'), models.Q(('platform', 'generic'), models.Q(('id_parameter', ''), _negated=True)), models.Q(('platform', 'prolific'), models.Q(('completion_code', ''), _negated=True)), _connector='OR'), name='study_platform_known'),
        ),
        migrations.AddConstraint(
            model_name='platformmessage',
            constraint=models.UniqueConstraint(fields=('platform', 'message_id'), name='platform_message_once'),
        ),
    ]
