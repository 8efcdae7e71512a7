"""Record which topics of a set-up come from which file."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0049_anchor_pairs'),
    ]

    operations = [
        migrations.AddField(
            model_name='setup',
            name='topic_files',
            field=models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Name of each imported file of topics → numbers of its topics.'),
        ),
    ]
