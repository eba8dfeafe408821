"""The rules of Spooktacular, by topic."""
