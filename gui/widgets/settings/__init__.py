"""The search settings as a form."""
