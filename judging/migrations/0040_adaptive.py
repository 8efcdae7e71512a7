"""Adaptive studies: their settings, their decisions, and the job that decides."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0039_systems_plan_and_report'),
    ]

    operations = [
        migrations.CreateModel(
            name='AllocationDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='Within the study, from 1.')),
                ('at', models.DateTimeField()),
                ('reason', models.CharField(choices=[('unsettled', 'unsettled'), ('settled', 'settled'), ('no-room', 'no-room')], max_length=9)),
                ('record', models.JSONField()),
                ('unit_numbers', models.JSONField(default=list)),
            ],
            options={
                'ordering': ('study', 'number'),
            },
        ),
        migrations.RemoveConstraint(
            model_name='job',
            name='job_kind_known',
        ),
        migrations.AddField(
            model_name='study',
            name='allocation',
            field=models.CharField(choices=[('fixed', 'fixed'), ('adaptive', 'adaptive')], db_default='fixed', default='fixed', help_text='adaptive: further units go to documents that matter for the ranking of the runs.', max_length=8),
        ),
        migrations.AddField(
            model_name='study',
            name='most_judgments',
            field=models.PositiveSmallIntegerField(db_default=10, default=10, help_text='The mean judgments per document of the largest adaptive study.'),
        ),
        migrations.AddField(
            model_name='study',
            name='ranked_by',
            field=models.CharField(db_default='nDCG@10', default='nDCG@10', help_text='The measure whose ranking an adaptive study settles.', max_length=100),
        ),
        migrations.AddField(
            model_name='study',
            name='settled_level',
            field=models.FloatField(db_default=0.9, default=0.9, help_text='The expected τ at which an adaptive study stops.'),
        ),
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('export', 'export'), ('score', 'score'), ('expire', 'expire'), ('import', 'import'), ('notice', 'notice'), ('webhook', 'webhook'), ('figures', 'figures'), ('report', 'report'), ('check', 'check'), ('rehearse', 'rehearse'), ('allocate', 'allocate')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['export', 'score', 'expire', 'import', 'notice', 'webhook', 'figures', 'report', 'check', 'rehearse', 'allocate'])), name='job_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('allocation__in', ('fixed', 'adaptive'))), name='study_allocation_known'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('settled_level__gte', 0), ('settled_level__lte', 1)), name='study_settled_level_in_range'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('most_judgments__gte', 1)), name='study_most_judgments_at_least_one'),
        ),
        migrations.AddField(
            model_name='allocationdecision',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='judging.study'),
        ),
        migrations.AddConstraint(
            model_name='allocationdecision',
            constraint=models.UniqueConstraint(fields=('study', 'number'), name='decision_number_once_per_study'),
        ),
        migrations.AddConstraint(
            model_name='allocationdecision',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['unsettled', 'settled', 'no-room'])), name='decision_reason_known'),
        ),
        migrations.AddConstraint(
            model_name='allocationdecision',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='decision_number_at_least_one'),
        ),
    ]
