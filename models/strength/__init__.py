"""Measuring the strength of nets: matches, ratings, ladder, exams."""
