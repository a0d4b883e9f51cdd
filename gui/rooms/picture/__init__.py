"""The tree drawn as nodes and links."""
