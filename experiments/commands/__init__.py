"""The commands of `doomtrack`, one file each: a thin typer function over a plain one that returns data."""
