"""Delete the stored reports: their tables have other keys and columns now. Pages request them again."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("judging", "0046_pay")]
    operations = [migrations.RunSQL("DELETE FROM judging_report", migrations.RunSQL.noop)]
