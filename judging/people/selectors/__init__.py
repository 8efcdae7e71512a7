"""Reads about people and their actions."""
