"""Tournaments: pairings, standings and prizes. `tournaments.core` is pure: values in, values out."""
