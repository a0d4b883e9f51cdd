"""The dialog in which a user says what the inputs and outputs of a net of another program mean."""
