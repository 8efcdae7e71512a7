"""Addresses of the workers' pages, named after the steps in `protocol.steps.Step`.

A browser that goes back fills the fields of a form again with what was typed at the same address. So each
form has an address of its own, with the numbers from `Progress.place`. The server alone knows the step: an
address without numbers, or with other numbers, leads to the current step.
"""

from django.urls import path

from judging.worker.pages import entry, judge, pay, pictures, practice, units

app_name = "worker"
urlpatterns = [
    path("", entry.information, name="information"),
    path("instructions/", practice.instructions, name="instructions"),
    path("practice/", practice.practice, name="practice_now"),
    path("practice/<int:attempt>/<int:line>/", practice.practice, name="practice"),
    path("task/", units.task, name="task"),
    path("topic/", judge.topic, name="topic_now"),
    path("topic/<int:number>/", judge.topic, name="topic"),
    path("judge/", judge.judge, name="judge_now"),
    path("judge/<int:number>/<int:position>/", judge.judge, name="judge"),
    path("pictures/<slug:checksum>/", pictures.picture, name="picture"),
    path("units/", units.units, name="units"),
    path("end/", units.end, name="end"),
    path("pay/", pay.pay, name="pay"),
    path("pay/<int:number>/", pay.pay, name="pay_visit"),
    path("withdraw/", units.leave, name="withdraw"),
    path("resume/<slug:token>/", entry.resume, name="resume"),
]
