"""What a metric is about, where its manifest does not say: the headings under which numbers and figures are grouped."""

import re

CONTRACT = "The contract"
SEARCH = "The search"
CHANGE = "What changes"
WINNING = "Who wins"
LENGTH = "How long it takes"
OUT = "Being out"
SHAPE = "How the game runs"
TURN = "A player's turn"
CONTENT = "Cards and components"
RULES = "Rule ledger"
BOARD = "The board"
REST = "More numbers"

ORDER = (CONTRACT, SEARCH, CHANGE, WINNING, LENGTH, OUT, SHAPE, TURN, CONTENT, RULES, BOARD, REST)

# first match wins; the names are those of the metrics that all games share, and the words that they are made of
PATTERNS = (
    (r"rule_", RULES),
    (r"(first_)?out_|.*eliminat|survival", OUT),
    (r"turns|rounds|minutes|decisions|capped|length|span", LENGTH),
    (r"lead|one_sided|comeback|tension|swing|first_exposed", SHAPE),
    (r"win|tie|start_edge|.*_edge|score|first_player", WINNING),
    (r"item|event|card|reshuffle|component|deck|token", CONTENT),
    (r"no_choice|hit|.*hits|throw|clear|action|max_lost|quickshot|move|choice", TURN),
)


def of(name: str) -> str:
    """The theme of a metric by its name."""
    return next((theme for pattern, theme in PATTERNS if re.match(pattern, name)), REST)


def rank(theme: str) -> tuple[int, str]:
    """Sorts themes: the known ones in the order of ORDER, then the manifest's own by name, and what is left last."""
    if theme == REST:
        return (len(ORDER) + 1, theme)
    return (ORDER.index(theme), theme) if theme in ORDER else (len(ORDER), theme)
