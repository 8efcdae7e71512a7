"""Asking for reports, and keeping them."""
