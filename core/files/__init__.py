"""Records of games and searches, and the files they are kept in."""
