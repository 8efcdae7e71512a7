"""The addresses that platforms call."""
