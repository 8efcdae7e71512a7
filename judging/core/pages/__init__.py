"""What all pages share: who may come in, lists, limits, headers."""
