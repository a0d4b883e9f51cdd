"""Where nets, and searches with them, go wrong: the audit of a net over many positions."""
