"""The rules of The Snallygaster Situation, one jitted function a rule (L numbers: content/rulings.md).

steps: the agenda · decks: shuffling and drawing · doom: the doom track and the treehouses · tokens: what lies on
buildings · goals: the open goal, the rescue · monster: where it goes, whom it hits · feds: the patrols · windows: items
· kid: wheels, movement, search · lost_kid: the Lost Kid's turn · effects: what cards' texts do · setup: how a game
begins · monsters/: each monster's own rule.
"""
