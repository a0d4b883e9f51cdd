"""The analysis of a whole game: value graph, mistakes, report."""
