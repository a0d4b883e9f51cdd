"""The room that looks into the net of the search: its blocks, its graph, and what they depend on."""
