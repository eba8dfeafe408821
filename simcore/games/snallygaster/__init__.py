"""The Snallygaster Situation (Renegade Game Studios, 2021): a co-operative hunt for a Lost Kid and a monster, for
2-5."""
