"""The timeline: any earlier simulation with its stages, and the charts of the search on the same axis."""
