"""`doomtrack compare`: variants against a base on the same luck."""
