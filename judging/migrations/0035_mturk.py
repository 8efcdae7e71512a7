"""MTurk: the links from its frame, which can be used once."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0034_prolific'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='study',
            name='study_platform_known',
        ),
        migrations.AddField(
            model_name='platformmessage',
            name='form_key',
            field=models.CharField(blank=True, db_default='', default='', help_text='Of the consent form that used a link from a frame; empty for other messages.', max_length=26),
        ),
        migrations.AlterField(
            model_name='study',
            name='platform',
            field=models.CharField(choices=[('direct', 'direct'), ('generic', 'generic'), ('mturk', 'mturk'), ('prolific', 'prolific')], default='direct', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('platform', 'direct'), models.Q(('platform', 'generic'), models.Q(('id_parameter', ''), _negated=True)), ('platform', 'mturk'), models.Q(('platform', 'prolific'), models.Q(('completion_code', ''), _negated=True)), _connector='OR'), name='study_platform_known'),
        ),
    ]
