"""Game records, saved searches, and their file formats."""
