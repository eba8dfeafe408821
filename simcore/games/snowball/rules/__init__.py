"""The rules of The Great Snowball Battle, one jitted function a rule (R and B numbers: facts and rulings lists).

decks: shuffling and drawing · hand: refill and Events drawn · place: location, item, Clear Out · hits: gear,
elimination, the end · throw: one throw from declaration to its end · effects: what cards' texts do · setup: how a
game begins.
"""
