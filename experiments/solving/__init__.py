"""`doomtrack solve`: the value of a parameter at which a metric meets a target, for one setting or for many."""
