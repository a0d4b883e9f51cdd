"""Files the program ships with: icons, style sheet, nets; read through importlib.resources.  Knows nothing else."""
