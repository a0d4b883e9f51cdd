"""A whole game analysed: value graph, mistakes, report."""
