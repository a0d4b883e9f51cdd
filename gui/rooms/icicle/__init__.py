"""The room of the icicle."""
