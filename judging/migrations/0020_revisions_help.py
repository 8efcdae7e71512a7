"""The description of the revisions of an attempt, which now come from the list of documents too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0019_line_since")]

    operations = [
        migrations.AlterField(
            model_name="assignment",
            name="revisions",
            field=models.PositiveIntegerField(
                default=0, help_text="Uses of back or the list of documents after a failed check.", null=True
            ),
        ),
    ]
