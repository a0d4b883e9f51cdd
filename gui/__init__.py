"""The desktop window: views, what they show, and what starts them.  Knows the engine by its public calls, no torch."""
