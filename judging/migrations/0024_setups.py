"""A draft becomes a study that is set up: its columns, and the tables of what it is read from."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0023_failed_checks")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="changes_to",
            field=models.OneToOneField(
                blank=True,
                help_text="The study that this draft would change; only the set-up of that study shows it.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="changes",
                to="judging.study",
            ),
        ),
        migrations.AddField(
            model_name="topic",
            name="named_h",
            field=models.CharField(
                blank=True, db_default="", default="", help_text="In a set-up; empty: H is drawn.", max_length=200
            ),
        ),
        migrations.AddField(
            model_name="topic",
            name="named_n",
            field=models.CharField(
                blank=True, db_default="", default="", help_text="In a set-up; empty: N is drawn.", max_length=200
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="right_option",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="The place of the right option, from 0.", null=True
            ),
        ),
        # The drafts are read by the next migration; the name `setup` is free for set-ups from here on.
        migrations.AlterField(
            model_name="draft",
            name="study",
            field=models.OneToOneField(
                blank=True,
                help_text="The study made of it; empty until then.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="judging.study",
            ),
        ),
        migrations.CreateModel(
            name="Setup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "pool_depth",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="How many documents of each run are pooled; empty: a list is.",
                        null=True,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("read_version", models.PositiveIntegerField(blank=True, null=True)),
                ("changed_at", models.DateTimeField()),
                (
                    "job",
                    models.ForeignKey(
                        blank=True,
                        help_text="Its last check.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="judging.job",
                    ),
                ),
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="setup", to="judging.study"
                    ),
                ),
            ],
            options={"ordering": ("-id",)},
        ),
        migrations.CreateModel(
            name="SetupFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("documents", "documents"), ("run", "run"), ("grades", "grades"), ("pool", "pool")],
                        max_length=10,
                    ),
                ),
                ("path", models.CharField(help_text="Relative to the folder of the set-up.", max_length=200)),
                ("format", models.CharField(blank=True, default="", max_length=20)),
                ("encoding", models.CharField(blank=True, default="", help_text="Empty: UTF-8.", max_length=40)),
                (
                    "name",
                    models.CharField(blank=True, default="", help_text="Of grades: their column.", max_length=60),
                ),
                (
                    "levels",
                    models.JSONField(blank=True, default=dict, help_text="Of grades: value → grade, or drop."),
                ),
                (
                    "unlisted",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Of grades: the grade of pooled documents not listed.",
                        max_length=1,
                    ),
                ),
                (
                    "setup",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="judging.setup"
                    ),
                ),
            ],
            options={
                "ordering": ("setup", "id"),
                "constraints": [
                    models.UniqueConstraint(fields=("setup", "path"), name="setup_file_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("name", ""), _negated=True),
                        fields=("setup", "name"),
                        name="setup_grades_name_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["documents", "run", "grades", "pool"])),
                        name="setup_file_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("unlisted__in", ["N", "M", "R", "H", ""])),
                        name="setup_unlisted_grade_known",
                    ),
                ],
            },
        ),
    ]
