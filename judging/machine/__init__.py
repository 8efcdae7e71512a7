"""Machine judges: language models that go through the protocol of a study, by the same services as workers.

`judge_file` and `prompts` read what a researcher writes. `client` is the only module that reaches a model.
`calling` asks it, within the limits, and stores every answer before it is used. `walk` goes through the
steps of the study, and `sittings` begins and resumes a judge.
"""
