"""The rules of judging, as pure functions without Django, a database, a clock or global randomness.

The time (`now`) and the random generator (`rng`) are always arguments, so that pages, simulations and tests
run the same rules. Source: Turpin, Scholer, Mizzaro & Maddalena, "The Benefits of Magnitude Estimation
Relevance Assessments for Information Retrieval Evaluation", SIGIR 2015 ([T15] in the docstrings below).
"""
