"""Lessons: the panel and its small experiments."""
