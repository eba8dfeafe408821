"""The referee's board: doom, search tokens, the Feds, the monster and its attacks, each with its window for items."""

from __future__ import annotations

from simcore.games.snallygaster.layout import (
    CURSES,
    CURSES_EACH,
    SOULS_A_DOOM,
    Decision,
    Direction,
    Event,
    Op,
    Option,
    Place,
    Source,
    Status,
    Window,
)
from tests.referees.snallygaster_cards import op_of
from tests.referees.snallygaster_table import MOST, GameOver, Seat, Table, code


class Board(Table):
    """What happens on the board."""

    # --- doom and the end ---

    def add_doom(self, n: int, source: Source) -> None:
        """The marker goes forward; at the end of the track all lose."""
        if n <= 0:
            return
        n = min(n, self.given["doom_length"] - self.doom)
        new = self.doom + n
        self.take(Event.DOOM, f"{n} doom", self.active, a=n, b=new, c=int(source))
        self.doom_by[source] += n
        self.doom = new
        if self.doom >= self.given["doom_length"]:
            self.end(Status.LOST)

    def end(self, status: Status) -> None:
        self.take(Event.END, f"the game is over ({status.name})", a=int(status))
        self.status = status
        raise GameOver

    # --- tokens ---

    def search_token(self, building: int, reason: int) -> None:
        """L19: none is placed when none is left."""
        none_left = self.tokens.total() >= self.given["search_tokens"]
        actor = 0 if reason in (0, 3) else None
        self.take(Event.TOKEN, "a search token", actor, a=building, b=reason, c=int(none_left))
        if not none_left:
            self.tokens[building] += 1

    def put_by_lot(self, place: Place, n: int) -> None:
        """Tokens on buildings without one (hatchlings on trees) by lot, as many as there are (L25)."""
        for _ in range(n):
            free = set(range(len(self.box.colours))) if place != Place.HATCHLING else set(self.lying[Place.TREE])
            free -= self.lying[place]
            if not free or len(self.lying[place]) >= MOST[place]:
                return
            where = self.take(Event.PUT, f"a token {place.name}", a=int(place))[2]
            self.demand(where in free, f"{place.name} on building {where}, which has one or may have none")
            self.lying[place].add(where)

    def take_away(self, place: Place, where: int, why: str) -> None:
        self.take(Event.TAKEN, why, a=int(place), b=where)
        self.lying[place].discard(where)

    # --- windows ---

    def usable(self, me: Seat, window: Window) -> list[int]:
        """Cards that lie face up and can be used now; powered cards in the Lost Kid's own turn only (L18)."""
        return sorted(
            i
            for i in me.items & self.face_up
            if window in self.box.items[i].windows
            and (self.active == 0 or not self.box.items[i].powered)
            and self.near_enough(me, i)
        )

    def near_enough(self, me: Seat, item: int) -> bool:
        """L11: whether an item that needs the monster near can work, for all that everybody sees."""
        first = self.box.items[item].effect[:1]
        if not first or op_of(first[0]) != Op.WITHIN or self.hidden:
            return True
        return self.far(me, self.monster) <= int(first[0].values[0])

    def window(self, window: Window) -> None:
        """L14: the active seat first, then clockwise; who uses one is asked again."""
        for me in self.around():
            while self.on_board(me) and (cards := self.usable(me, window)):
                legal = [code(Option.PASS), *(code(Option.USE, i) for i in cards)]
                kind, card, *_ = self.decide(me.chair, Decision.WINDOW, legal, f"L14: window {window.name}")
                if kind == Option.PASS:
                    break
                self.use(me, card, window)

    def use(self, me: Seat, card: int, window: Window) -> None:
        raise NotImplementedError

    # --- a Kid is hit or caught ---

    def go_to_treehouse(self, me: Seat) -> None:
        """L16: the nearest one, the Lost Kid chooses among equals."""
        nearest = self.town.nearest_houses(me.space)
        legal = [code(Option.TREEHOUSE, h) for h in nearest]
        _, house, *_ = self.decide(0, Decision.TREEHOUSE, legal, "L16: the nearest treehouse")
        self.go(me, self.town.houses[house], 0)

    def go(self, me: Seat, space: int, by_tree: int) -> None:
        self.take(Event.SENT, "sent away", me.chair, a=space, b=by_tree)
        me.space = space
        if me.chair == self.active:
            self.sent = True
        if not by_tree and self.given["ruling.sent_refreshes"]:
            self.refresh(me, powered=True)

    def refresh(self, me: Seat, powered: bool = False) -> None:
        """Wheels and items up."""
        if me.chair:
            self.refresh_wheels(me)
        self.refresh_items(me, powered)

    def refresh_wheels(self, me: Seat) -> None:
        self.take(Event.REFRESH, "wheels up", me.chair, a=0)
        me.up, me.reused = set(me.wheels), False

    def refresh_items(self, me: Seat, powered: bool = False) -> None:
        """L18: the powered card comes up where the Lost Kid ends a movement or is sent."""
        self.take(Event.REFRESH, "items up", me.chair, a=1)
        self.face_up |= {i for i in me.items if powered or not self.box.items[i].powered}

    # --- the Feds ---

    def drive(self, fed: int, n: int) -> None:
        """So many intersections, each with its window."""
        for _ in range(n):
            if self.would_hurt(fed):
                self.window(Window.FEDS)
            self.drive_one(fed)
            self.no_dodging()

    def would_hurt(self, fed: int) -> bool:
        """Whether the next intersection means a catch or the end of the patrol: only then items are asked for."""
        touched = self.town.swept(fed, self.fed_at[fed])
        last = self.fed_at[fed] + 1 == len(self.town.stops[fed])
        return last or any(me.space in touched for me in self.exposed())

    def drive_one(self, fed: int) -> None:
        if self.held:
            self.held -= 1
            self.take(Event.HELD, "a held Fed does not drive", a=fed)
            return
        touched = self.town.swept(fed, self.fed_at[fed])
        self.fed_at[fed] = (self.fed_at[fed] + 1) % len(self.town.stops[fed])
        self.take(Event.FED, "a Fed drives", self.active, a=fed, b=self.fed_at[fed])
        for me in [me for me in self.exposed() if me.space in touched]:
            if me.dodging:
                me.dodging = False
                self.take(Event.DODGED, "L35", me.chair)
                continue
            self.take(Event.CAUGHT, "a Kid that a Fed touches is caught", me.chair, a=fed)
            self.counts["catches"] += 1
            self.add_doom(1, Source.CAUGHT)
            self.go_to_treehouse(me)
        if self.fed_at[fed] == 0:
            self.add_doom(1, Source.PATROL)

    def no_dodging(self) -> None:
        """L35: a dodge ends with the action that it answers."""
        for me in self.seats:
            me.dodging = False

    # --- the monster ---

    def stands(self) -> bool:
        """L10 by the other ruling: stunned, the monster attacks where it is without moving."""
        return bool(self.given["ruling.stun"] == "movement")

    def monster_action(self, how: str, direction: int = 0) -> None:
        """`how`: go, nearest, length, attack."""
        self.window(Window.MONSTER)
        if self.cancelled:
            self.cancelled = False
            self.take(Event.STUNNED, "a cancelled monster action", a=1)
        elif self.stunned:
            self.stunned = False
            self.take(Event.STUNNED, "L10: the stun token", a=0)
            if self.stands():
                self.attack()
        elif how == "attack" or self.moves(how, direction):
            self.attack()
        self.no_dodging()

    def moves(self, how: str, direction: int) -> bool:
        if how == "nearest":
            return self.chases()
        if not self.town.sides[self.monster][direction]:
            self.cannot(Source.CANNOT_MOVE)
            return False
        while True:
            self.hop(self.town.sides[self.monster][direction], 0, f"the monster goes {Direction(direction).name}")
            if how == "go" or not self.town.sides[self.monster][direction]:
                return True

    def cannot(self, source: Source) -> None:
        self.take(Event.CANNOT, "the monster cannot move", a=int(source))
        self.add_doom(1, source)

    def far(self, me: Seat, district: int) -> int:
        """L29: hops from a district to the nearest of those that a seat's space is in."""
        return min(self.town.hops[district][d] for d in self.town.districts[me.space])

    def chases(self) -> bool:
        """Towards the closest Kid (L8, L28); the Dover Demon up to two districts towards the one it is fixed on."""
        prey = self.exposed()
        if not prey:
            self.cannot(Source.NOBODY)
            return False
        fixed = [me for me in prey if me.chair == self.fixed_on] if self.box.mechanics == "fixation" else []
        if fixed:
            for _ in range(2):
                far = self.far(fixed[0], self.monster)
                if far:
                    beside = set().union(*self.town.sides[self.monster])
                    self.hop({d for d in beside if self.far(fixed[0], d) < far}, 0, "fixation")
            return True
        closest = min(self.far(me, self.monster) for me in prey)
        if closest == 0:
            return True
        beside = set().union(*self.town.sides[self.monster])
        hunted = [me for me in prey if self.far(me, self.monster) == closest]
        ways = {d for d in beside if any(self.far(me, d) < closest for me in hunted)}
        if self.box.mechanics == "mirrors":
            with_mirror = set().union(*(self.town.building_districts[b] for b in self.lying[Place.MIRROR]), set())
            if self.monster in with_mirror:
                ways |= with_mirror - {self.monster}
        self.hop(ways, 0, "L28: towards the closest Kid")
        return True

    def hop(self, ways: set[int], chooser: int, why: str, by_itself: bool = True) -> None:
        legal = [code(Option.DISTRICT, d) for d in ways]
        _, district, *_ = self.decide(chooser, Decision.DISTRICT, legal, why)
        if self.box.mechanics == "swoop" and not self.hidden and by_itself:
            self.hide()
        self.take(Event.MONSTER, why, a=district, b=self.monster, c=int(self.hidden))
        self.monster = district

    def hide(self) -> None:
        self.take(Event.SHOWN, "the monster is hidden", a=0)
        self.hidden = True

    def show(self) -> None:
        if self.hidden:
            self.take(Event.SHOWN, "the monster is seen", a=1, b=self.monster)
            self.hidden = False

    # --- attacks ---

    def attack(self) -> None:
        """The whole district, its roads too (L7, L9, L36)."""
        if self.monster in self.lying[Place.LIGHT]:
            self.take_away(Place.LIGHT, self.monster, "L36: the searchlight goes out")
            self.take(Event.STUNNED, "L36: light", a=2)
            return
        self.take(Event.ATTACK, "the monster attacks", a=self.monster)
        if self.given["ruling.attack_order"] == "feds_first":
            self.feds_flee()
            self.hit_all()
        else:
            self.hit_all()
            self.feds_flee()

    def feds_flee(self) -> None:
        inside = [f for f in (0, 1) if self.monster in self.town.districts[self.town.stops[f][self.fed_at[f]]]]
        if self.given["ruling.attack_order"] == "kids_first":
            self.no_dodging()  # L35: the flight is another action; where it comes first it ends the dodge
        for fed in inside:
            self.drive(fed, self.given["feds_flight"])

    def hit_all(self) -> None:
        hits = 0
        for me in [me for me in self.exposed() if self.monster in self.town.districts[me.space]]:
            if me.dodging:
                me.dodging = False
                self.take(Event.DODGED, "L35", me.chair)
                continue
            if self.box.mechanics == "swoop" and not hits:
                self.show()
            self.take(Event.HIT, "a Kid in the attacked district is hit", me.chair)
            hits += 1
            self.counts["hits"] += 1
            self.add_doom(self.given["attack_doom"], Source.ATTACK)
            if self.box.mechanics == "curse":
                self.curse(me)
            if self.box.mechanics == "fixation" and self.fixed_on != me.chair:
                self.fix(me)
            if self.box.mechanics == "swoop" and hits == 1 and self.lying[Place.TREE]:
                self.carry(me)
            else:
                self.go_to_treehouse(me)
        if self.box.mechanics == "mirrors" and not hits:
            inside = {b for b in self.lying[Place.BYSTANDER] if self.monster in self.town.building_districts[b]}
            if inside:
                lost = self.peek()[3]
                self.take_away(Place.BYSTANDER, lost if lost in inside else min(inside), "a bystander is pulled in")
                self.soul(1)

    def fix(self, me: Seat) -> None:
        self.take(Event.FIXED, "fixation", me.chair)
        self.fixed_on = me.chair

    def curse(self, me: Seat) -> None:
        """L34: at most two a Kid, none for the Lost Kid."""
        if me.chair and me.curses < CURSES_EACH and sum(s.curses for s in self.seats) < CURSES:
            me.curses += 1
            self.take(Event.CURSE, "a curse", me.chair, a=me.curses)

    def lift(self, me: Seat) -> None:
        if me.curses:
            me.curses = 0
            self.take(Event.CURSE, "the curses are lifted", me.chair, a=0)

    def soul(self, n: int) -> None:
        """Every third is a doom."""
        for _ in range(n):
            self.souls += 1
            self.take(Event.SOUL, "a soul", a=self.souls)
            if self.souls % SOULS_A_DOOM == 0:
                self.add_doom(1, Source.MONSTER)

    def carry(self, me: Seat) -> None:
        """L32: to the nearest tree on foot; ties: the lowest building, its first space."""
        walk = self.town.walk(me.space)
        spaces = [
            (walk[s], b, i, s) for b in self.lying[Place.TREE] for i, s in enumerate(self.town.building_spaces[b])
        ]
        self.go(me, min(spaces)[3], 1)
