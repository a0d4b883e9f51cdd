"""The search tree as an icicle: layout on screen, colours, painting, mouse and keys."""
