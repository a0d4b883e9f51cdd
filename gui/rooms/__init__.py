"""The rooms: each shows one aspect of the model and imports no other room."""
