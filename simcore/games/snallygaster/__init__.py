"""The Snallygaster Situation (Renegade Game Studios, 2021): a co-operative hunt for a hidden Lost Kid and for a monster, for
2-5."""
