"""Studies for analysis: ratings that are 0, levels that are numbers, and documents without a text."""

import django.core.validators
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0028_language'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='assignment',
            name='assignment_topic_once_per_participation',
        ),
        migrations.RemoveConstraint(
            model_name='document',
            name='document_text_not_empty',
        ),
        migrations.RemoveConstraint(
            model_name='judgment',
            name='judgment_magnitude_bounded',
        ),
        migrations.RemoveConstraint(
            model_name='knowngrade',
            name='known_grade_level_known',
        ),
        migrations.RemoveConstraint(
            model_name='pooldocument',
            name='pool_grade_known',
        ),
        migrations.AddField(
            model_name='study',
            name='purpose',
            field=models.CharField(choices=[('judging', 'judging'), ('analysis', 'analysis')], db_default='judging', default='judging', help_text='judging: workers judge documents here. analysis: the judgments come from a file.', max_length=8),
        ),
        migrations.AddField(
            model_name='study',
            name='scale',
            field=models.CharField(choices=[('magnitude', 'magnitude'), ('rating', 'rating')], db_default='magnitude', default='magnitude', help_text='What the numbers of the judgments are.', max_length=9),
        ),
        migrations.AlterField(
            model_name='document',
            name='text',
            field=models.TextField(blank=True, help_text='Empty in a study for analysis that has no texts.'),
        ),
        migrations.AlterField(
            model_name='knowngrade',
            name='level',
            field=models.CharField(help_text='N, M, R or H, or a number in a set with levels of its own.', max_length=20, validators=[django.core.validators.RegexValidator('^([NMRH]|[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?)$', 'This is neither N, M, R or H nor a number.')]),
        ),
        migrations.AlterField(
            model_name='pooldocument',
            name='grade',
            field=models.CharField(blank=True, help_text='Its level in the first set of known grades.', max_length=20, validators=[django.core.validators.RegexValidator('^([NMRH]|[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?)$', 'This is neither N, M, R or H nor a number.')]),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('started_at__isnull', False)), fields=('participation', 'topic'), name='assignment_topic_once_per_participation'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.CheckConstraint(condition=models.Q(('magnitude__isnull', True), models.Q(('magnitude__gte', 1e-100), ('magnitude__lte', 1e+100)), ('magnitude', 0), _connector='OR'), name='judgment_magnitude_bounded'),
        ),
        migrations.AddConstraint(
            model_name='knowngrade',
            constraint=models.CheckConstraint(condition=models.Q(('level__regex', '^([NMRH]|[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?)$')), name='known_grade_level_known'),
        ),
        migrations.AddConstraint(
            model_name='pooldocument',
            constraint=models.CheckConstraint(condition=models.Q(('grade__regex', '^([NMRH]|[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?)$'), ('grade', ''), _connector='OR'), name='pool_grade_known'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('scale__in', ['magnitude', 'rating'])), name='study_scale_known'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('purpose__in', ['judging', 'analysis'])), name='study_purpose_known'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('purpose', 'analysis'), _negated=True), ('state', 'closed'), _connector='OR'), name='study_for_analysis_closed'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('scale', 'rating'), _negated=True), ('purpose', 'analysis'), _connector='OR'), name='study_ratings_only_for_analysis'),
        ),
    ]
