"""The pages on which a study is set up, or changes to one that has been opened."""
