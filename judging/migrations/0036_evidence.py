"""Evidence from the browser: how much of each reason was pasted."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0035_mturk'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='judgment',
            name='pasted',
            field=models.FloatField(help_text='The share of the reason that was pasted; empty where unknown.', null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='evidence',
            field=models.CharField(choices=[('none', 'none'), ('input', 'input')], db_default='none', default='none', help_text='Whether the site keeps how much of each reason was pasted.', max_length=5),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.CheckConstraint(condition=models.Q(('pasted__gte', 0), ('pasted__lte', 1)), name='judgment_pasted_in_range'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('evidence__in', ('none', 'input'))), name='study_evidence_known'),
        ),
    ]
