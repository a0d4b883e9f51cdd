"""The search tree drawn as nodes and links."""
