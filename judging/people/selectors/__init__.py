"""Reads about people and what they did."""
