"""The town of The Snallygaster Situation for the referee: how far things lie apart, walked step by step on the map."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from simcore.games.snallygaster.town import Plan, read_town

STRAIGHT = ((-1, 0), (1, 0), (0, -1), (0, 1))
FAR = 999


def members(bits: int) -> list[int]:
    """The numbers whose bit is set."""
    return [i for i in range(int(bits).bit_length()) if int(bits) >> i & 1]


def spread(start: Iterable[int], beside: Callable[[int], Iterable[int]]) -> dict[int, int]:
    """How many steps everything is from the nearest of `start`."""
    found = dict.fromkeys(start, 0)
    ahead = deque(found)
    while ahead:
        here = ahead.popleft()
        for there in beside(here):
            if there not in found:
                found[there] = found[here] + 1
                ahead.append(there)
    return found


class Town:
    """Distances of one town with the settings that change it."""

    def __init__(self, configuration: Any) -> None:
        self.plan: Plan = read_town(configuration.content)
        plan, settings = self.plan, configuration.settings
        self.spaces = len(plan.cells)
        self.cell = [(int(r), int(c)) for r, c in plan.cells]
        self.at = {cell: i for i, cell in enumerate(self.cell)}
        self.has_fences = bool(settings["fences"])
        self.reach = int(settings["feds_reach"])
        self.is_road = [bool(x) for x in plan.is_road]
        self.building = [int(b) for b in plan.building_of]
        self.building_spaces = [[int(s) for s in pair] for pair in plan.building_spaces]
        self.houses = [int(s) for s in plan.treehouse_space]
        if settings["treehouses"] is not None:
            self.houses = self.houses[: settings["treehouses"]]
        self.house = {space: i for i, space in enumerate(self.houses)}
        self.districts = [set(members(bits)) for bits in plan.district_bits]
        self.building_districts = [set(members(bits)) for bits in plan.building_district_bits]
        self.sides = [[set(members(bits)) for bits in row] for row in plan.neighbours]
        self.hops = [spread([d], lambda x: sorted(set().union(*self.sides[x]))) for d in range(len(self.sides))]
        self.stops = [[int(s) for s in route] for route in plan.stops]
        self.straight = settings["ruling.nearest_treehouse"] == "straight"
        self.known: dict[Any, Any] = {}

    def remember(self, key: Any, work: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = work()
        return self.known[key]

    # --- on foot ---

    def open(self, here: int, step: tuple[int, int], over: bool) -> bool:
        """Whether a straight step is possible."""
        (r, c), (down, right) = self.cell[here], step
        if (r + down, c + right) not in self.at:
            return False
        if over or not self.has_fences:
            return True
        fences = self.plan.fence_below if down else self.plan.fence_beside
        return not fences[min(r, r + down), min(c, c + right)]

    def steps(self, here: int, diagonal: bool, over: bool) -> list[int]:
        """The spaces one step away; a diagonal step needs one way round the corner."""
        r, c = self.cell[here]
        found = [self.at[r + d, c + e] for d, e in STRAIGHT if self.open(here, (d, e), over)]
        for down in (-1, 1) if diagonal else ():
            for right in (-1, 1):
                for first, second in (((down, 0), (0, right)), ((0, right), (down, 0))):
                    if self.open(here, first, over):
                        corner = self.at[r + first[0], c + first[1]]
                        if self.open(corner, second, over):
                            found.append(self.at[r + down, c + right])
        return found

    def beside(self, diagonal: bool, over: bool) -> list[list[int]]:
        """The spaces one step away from each."""
        found: list[list[int]] = self.remember(
            ("steps", diagonal, over), lambda: [self.steps(s, diagonal, over) for s in range(self.spaces)]
        )
        return found

    def walk(self, here: int, diagonal: bool = False, over: bool = False) -> dict[int, int]:
        """Steps from `here` to every space."""
        found: dict[int, int] = self.remember(
            (here, diagonal, over), lambda: spread([here], self.beside(diagonal, over).__getitem__)
        )
        return found

    def ends(self, here: int, steps: int, diagonal: bool, over: bool, road: int, off_road: int) -> set[int]:
        """Where a movement can end, the bonus for its end on a road (or off it) included."""

        def work() -> set[int]:
            found = set()
            for stop, far in self.walk(here, diagonal, over).items():
                if far <= steps:
                    more = road if self.is_road[stop] else off_road
                    found |= {s for s, d in self.walk(stop, diagonal, over).items() if d <= more}
            return found

        ends: set[int] = self.remember((here, steps, diagonal, over, road, off_road), work)
        return ends

    def nearest_houses(self, here: int) -> set[int]:
        """L16: the nearest treehouses."""
        if self.straight:
            r, c = self.cell[here]
            far = [(r - self.cell[h][0]) ** 2 + (c - self.cell[h][1]) ** 2 for h in self.houses]
        else:
            walk = self.walk(here)
            far = [walk[h] for h in self.houses]
        return {i for i, d in enumerate(far) if d == min(far)}

    # --- the Feds ---

    def near(self, here: int, other: int) -> bool:
        (r, c), (s, d) = self.cell[here], self.cell[other]
        return abs(r - s) + abs(c - d) <= self.reach

    def under(self, fed: int, stop: int) -> set[int]:
        """The spaces that a Fed at a stop overlaps."""
        here = self.stops[fed][stop]
        found: set[int] = self.remember(("fed", here), lambda: {s for s in range(self.spaces) if self.near(s, here)})
        return found

    def swept(self, fed: int, stop: int) -> set[int]:
        """The spaces that it touches while it drives on from this stop."""
        leg = [int(s) for s in self.plan.legs[fed][stop]]

        def work() -> set[int]:
            return {s for s in range(self.spaces) if any(self.near(s, on) for on in leg)}

        found: set[int] = self.remember(("leg", fed, stop), work)
        return found


_towns: dict[Any, tuple[Any, Town]] = {}


def town_of(configuration: Any) -> Town:
    """The town of a configuration; the last ones are kept, for their distances."""
    content, settings = configuration.content, configuration.settings
    names = ("fences", "feds_reach", "treehouses", "ruling.nearest_treehouse")
    key = (id(content), *(settings[name] for name in names))
    if key not in _towns or _towns[key][0] is not content:
        if len(_towns) > 20:  # noqa: PLR2004
            _towns.clear()
        _towns[key] = content, Town(configuration)
    return _towns[key][1]
