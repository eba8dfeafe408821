"""What a seat cannot know, dealt anew: the automaton's decks, also one of content that has a card twice."""

import numpy as np

import strategies
from simcore import batch, jit
from simcore.game import find_game

GAME = find_game("spooktacular")


def test_a_deck_of_the_automaton_may_have_a_card_twice() -> None:
    configuration = GAME.configure({"players": 1, "automaton": "normal"})
    rules, _ = batch.prepare(configuration, strategies.line_up(GAME.name, configuration.seats, ["random"]))
    work = np.zeros(1, GAME.layout.WORK)
    twice, once = rules[0]["bot_card"][0, 0], rules[0]["bot_card"][0, 1]
    assert twice != once
    rules[0]["bot_card"][0] = twice, twice, once
    redeal = jit.build(GAME.kernel("redeal"))
    found = set()
    for sample in range(40):
        game = np.zeros(1, GAME.layout.GAME)
        game[0]["seats"], game[0]["bot_next"], game[0]["replay_sample"] = 2, 1, sample
        game[0]["bot_deck"][0, :3] = twice, once, twice
        game[0]["bot_deck"][1:, :3] = rules[0]["bot_card"][1:]
        redeal(game[0], rules[0], work[0], 1)
        found.add(tuple(game[0]["bot_deck"][0, :3].tolist()))
    assert found == {(twice, once, twice), (twice, twice, once)}
