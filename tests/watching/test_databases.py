"""What the database counts by itself comes out the same on both."""

from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.pages.watch import expected_end
from judging.watching.selectors.live import Activity, activity, pace
from judging.watching.selectors.progress import Progress
from judging.watching.selectors.quality import failures_over_time
from judging.watching.selectors.thresholds import reached
from judging.watching.selectors.topic_quality import topic_quality
from judging.watching.selectors.worker_statistics import medians_of, studies_to_compute
from judging.watching.services.thresholds import FIELDS, set_watch
from tests.factories import NOW, answer_wrongly, inverted, judge_unit, later, make_study, make_worker


def test_everything_that_is_watched(database: str) -> None:
    study = make_study(topics=1, judgments_per_document=30, pay_per_unit="0.20")
    for turn in range(5):
        judge_unit(make_worker(study), now=later(hours=turn), magnitude=inverted)
        judge_unit(make_worker(study), now=later(hours=turn))
    late = later(hours=30)
    answer_wrongly(make_worker(study, upto="question", now=late), now=late)
    recent = activity(study, now=later(hours=31))
    days = failures_over_time(study, recent, by="day")
    assert [(item.begins.day, dict(item.failures), item.completed) for item in days] == [
        (3, {"b": 1}, 0),
        (2, {"c": 5}, 5),
    ]
    assert failures_over_time(study, recent, by="hour")[-1].begins == NOW
    assert recent == Activity(NOW, later(hours=31), past=False)
    (topic,) = topic_quality(study)
    assert (topic.pair.workers, topic.pair.failed, topic.question.wrong) == (10, 5, 1)
    at_four = activity(study, now=later(hours=5))
    assert " 2 " in expected_end(study, Progress(open=2), pace(study, at_four), later(hours=5))
    assert studies_to_compute(now=NOW) == [study]
    compute_statistics(study=study, now=NOW)
    assert medians_of(study).computed_at == NOW
    assert studies_to_compute(now=later(hours=9)) == []
    nothing = dict.fromkeys(FIELDS, False) | {"spent": None, "webhook_url": ""}
    watch = set_watch(study=study, wanted=nothing | {"spent": "1.00", "failed_a": 1}, now=NOW)
    watch.refresh_from_db()
    assert [(item.value, item.limit) for item in reached(watch)] == [("1.00", "1.00")]
