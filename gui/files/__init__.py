"""What is opened, saved, kept and recovered: games, sessions with trees, nets, recent files."""
