"""The pages on which a study is set up."""
