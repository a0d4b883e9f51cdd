"""Matches between nets, rollouts and outside engines in the background."""
