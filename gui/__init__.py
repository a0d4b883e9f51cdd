"""The desktop window: views, models and startup."""
