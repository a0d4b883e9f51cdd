"""Every command: the table of actions, keys and their editor, the palette, dialogs of help and choice."""
