"""The time machine: any earlier simulation, with its stages."""
