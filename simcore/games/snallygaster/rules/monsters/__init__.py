"""What each monster does beyond the rules for all; estimated, for its own rules are not public."""
