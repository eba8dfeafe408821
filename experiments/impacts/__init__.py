"""`doomtrack impact`: what each card, item, ride, ... does to the chances of the player who is dealt it."""
