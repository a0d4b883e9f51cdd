"""The desktop window: views, models and startup.  Knows the engine by its public calls, no torch."""
