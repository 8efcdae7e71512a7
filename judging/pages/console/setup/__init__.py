"""Setting a study up: pages that change a draft, which is a study file and the files it names."""
