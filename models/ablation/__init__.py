"""Ablations: the same training with one setting changed at a time, at equal evaluations, and what each change gave."""
