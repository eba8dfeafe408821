"""The Great Snowball Battle (Sninkthinkink / Game Salute, 2014): a take-that card game with player elimination for
2-6."""
