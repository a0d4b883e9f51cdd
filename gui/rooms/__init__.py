"""The rooms: each shows one aspect of the model and knows no other room."""
