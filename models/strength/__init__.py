"""How strong nets are: matches, ratings, ladder, exams.  Knows no torch."""
