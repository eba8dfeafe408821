"""Spooktacular: an asymmetric race for points in a haunted theater (Level 99 Games)."""
