"""The rules of judging as pure functions: no Django, no database, no clock and no dice of their own.

Time (`now`) and chance (`rng`) are arguments everywhere, so that a page, a simulation and a test run the
very same rules. Source: Turpin, Scholer, Mizzaro & Maddalena, "The Benefits of Magnitude Estimation Relevance
Assessments for IR Evaluation", SIGIR 2015 ([T15] in the docstrings below).
"""
