"""The time machine: any earlier simulation, its playout stage by stage."""
