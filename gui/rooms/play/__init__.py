"""Persons and engines that play a game, hints."""
