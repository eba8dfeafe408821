"""`doomtrack check`: balance contracts."""
