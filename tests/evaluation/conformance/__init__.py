"""The rules of the conformance suite, their expected values, and other evaluators that it checks."""
