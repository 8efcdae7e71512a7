from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0021_compensation'),
    ]

    operations = [
        migrations.AddField(
            model_name='topic',
            name='anchor_reason',
            field=models.TextField(blank=True, db_default='', default='', help_text='Why its anchors were named, where the known grades disagree.'),
        ),
    ]
