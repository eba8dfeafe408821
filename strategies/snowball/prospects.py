"""The expert's view of a position: how far every player is in danger, and what win share that leaves.

Gear is counted in *standing*: gear, less the gear a player will probably lose before his own next turn (the exposure
clock), plus what cover and items are worth. A player's *strength* is his standing valued by the weights; one's win
share is the own strength over everyone's, and exact where gear decides: the end test of a hit, and with three left the
danger that someone with one gear goes inside and the game is counted at once. Win shares are fractions, 0 to 1.

``take_stock`` notes what it finds in the part of work["score"] that no option uses, one row of seats a quantity:

    CHANCE..   chance that an unknown hand holds a card of v or more, v = 0..8
    FILLED     chance that one such hand can hit the player now
    POWER      what he adds to a snowball (modifier, kid)
    EXTRAS     what cover and items add to his standing
    DANGER     gear he will probably lose
    STRENGTH   his standing, valued
    SHIELDED   hits that he can take or turn away
"""

from simcore.games.snowball.kernel import kernel
from simcore.games.snowball.layout import OPTIONS, SEATS
from simcore.play import weight
from strategies.snowball.sight import TOP, auto_clear, bat, chance_to_fill, gap, modifier_power, next_living, saves

# Order of the expert's weights (expert.py says what each means).
(
    TWO,
    THREE,
    FINAL_TWO,
    FINAL_THREE,
    END_GAME,
    SPREAD,
    CROWD,
    DRIFT,
    SUSPICION,
    PREPARE,
    COVER,
    LID,
    BAT,
    MODIFIER,
    NEW_ITEM,
    HOLD_QUICKSHOT,
    KEEP_LOW,
    SPEND,
    TEMPO,
    CLEAR_DEBT,
    ACTION,
) = range(21)

ROOM = OPTIONS - 64  # options beyond this are not scored: the notes lie there
CHANCE = ROOM
FILLED = CHANCE + TOP + 1
POWER, EXTRAS, DANGER, STRENGTH, SHIELDED = (FILLED + SEATS * row for row in range(1, 6))
TOTAL = FILLED + SEATS * 6  # sum of strengths
TEMPTED = TOTAL + 1  # sum of FILLED: how much there is to aim at
LEFT = TOTAL + 2  # players left after the throw that is being resolved
COVER_SCALE = 1.0 / 12.0
LEAST = 0.02  # strength of a player whose last gear is as good as gone
SURE_EDGE = 0.95


@kernel
def chance(work, missing):
    """Chance that an unknown hand holds a card of `missing` or more."""
    if missing > TOP:
        return 0.0
    if missing < 1:
        return 1.0
    return work["score"][CHANCE + missing]


@kernel
def strength(game, rules, seat, f_standing):
    """Standing valued: linear between 0, 1, 2, 3 gear, where 2 and 3 are worth what the weights say."""
    if f_standing <= 1.0:
        return max(f_standing, LEAST)
    final = 0
    if game["living"] == 3:
        final = FINAL_TWO - TWO
    two = weight(game, rules, seat, TWO + final)
    if f_standing <= 2.0:
        return 1.0 + (two - 1.0) * (f_standing - 1.0)
    return two + (weight(game, rules, seat, THREE + final) - two) * (f_standing - 2.0)


@kernel
def danger(game, rules, work, seat, player, missing, shields):
    """Gear that `player` will probably lose before his next turn, were his gap `missing` at the end of this turn.

    A hit that one of his `shields` takes costs what the shield is worth. Each thrower in between may fill the gap (his
    hand and his modifier), unless others tempt him more; every throw may also narrow the gap for the next one.
    """
    crowd = weight(game, rules, seat, CROWD)
    drift = weight(game, rules, seat, DRIFT)
    once = auto_clear(game, rules)
    calm = 1.0 + weight(game, rules, seat, SPREAD) * (game["living"] - 2)
    calm += crowd * (work["score"][TEMPTED] - work["score"][FILLED + player])
    exposed = 0.0
    if missing <= 1:
        exposed = 1.0
    left = 1.0 * missing
    lost = 0.0
    thrower = next_living(game, game["active"])
    while thrower != player:
        reach = chance(work, int(left - work["score"][POWER + thrower]))
        aim = 1.0 / (calm - crowd * work["score"][FILLED + thrower])
        hit = aim * (exposed + (1.0 - exposed) * reach)
        if once == 1:
            hit *= 1.0 - lost
        lost += hit
        exposed += (1.0 - exposed) * aim * reach
        left -= drift
        thrower = next_living(game, thrower)
    shielded = min(lost, 1.0 * shields)
    return lost - shielded * (1.0 - weight(game, rules, seat, LID))


@kernel
def shields(game, rules, player):
    """Hits that a player's items and kid can take or turn away."""
    return saves(game, rules, player) + (bat(game, rules, player) > 0)


@kernel
def extras(game, rules, work, seat, player, missing):
    """What cover and items add to a player's standing."""
    worth = weight(game, rules, seat, LID) * saves(game, rules, player)
    worth += weight(game, rules, seat, MODIFIER) * work["score"][POWER + player]
    if bat(game, rules, player) > 0:
        worth += weight(game, rules, seat, BAT)
    return worth + weight(game, rules, seat, COVER) * COVER_SCALE * max(missing, 0)


@kernel
def gear_after(game, player):
    """Gear once the throw that is being resolved has taken its toll."""
    return max(game["gear"][player] - game["hit"][player] - game["shot"][player], 0)


@kernel
def take_stock(game, rules, work, seat):
    """Note everyone's danger and strength if `seat` did nothing (see the module's text)."""
    for v in range(TOP + 1):
        work["score"][CHANCE + v] = chance_to_fill(game, rules, seat, v)
    tempted = 0.0
    for note in range(FILLED, TOTAL):
        work["score"][note] = 0.0
    for player in range(game["seats"]):
        if game["gear"][player] > 0:
            filled = chance(work, gap(game, player))
            work["score"][FILLED + player] = filled
            work["score"][POWER + player] = modifier_power(game, rules, player)
            tempted += filled
    work["score"][TEMPTED] = tempted
    total = 0.0
    left = 0
    for player in range(game["seats"]):
        gear = gear_after(game, player)
        if game["gear"][player] > 0:
            missing = gap(game, player)
            shielded = shields(game, rules, player)
            lost = danger(game, rules, work, seat, player, missing, shielded)
            more = extras(game, rules, work, seat, player, missing)
            work["score"][DANGER + player] = lost
            work["score"][SHIELDED + player] = shielded
            work["score"][EXTRAS + player] = more
            if gear > 0:
                left += 1
                value = strength(game, rules, seat, gear - lost + more)
                work["score"][STRENGTH + player] = value
                total += value
    work["score"][TOTAL] = total
    work["score"][LEFT] = left


@kernel
def third_player(game, seat, other):
    """A player left after this throw besides these two; `seat` if there is none."""
    for player in range(game["seats"]):
        if player != seat and player != other and gear_after(game, player) > 0:
            return player
    return seat


@kernel
def compared(mine, theirs):
    """Win share when gear decides: more wins; equal gear plays on, both alike."""
    return 0.5 + 0.5 * (mine > theirs) - 0.5 * (mine < theirs)


@kernel
def knocked_out(game, rules, work, seat, player, gear, f_danger, thrower_gear, rival_gear):
    """With three left, the chance that `player` goes inside before his next turn, by whoever may throw in between.

    The game ends with it: a thrower with less gear than his rival would lose, and sees it as often as `end_game` says.
    """
    if gear != 1 or work["score"][SHIELDED + player] > 0.0:
        return 0.0
    if thrower_gear < rival_gear:
        return f_danger * (1.0 - weight(game, rules, seat, END_GAME))
    return f_danger


@kernel
def counted_at_three(
    game, rules, work, seat, other, my_gear, other_gear, f_mine, f_my_danger, f_theirs, f_their_danger
):
    """Win share with three left: whoever has one gear may be knocked out, and the other two compare gear at once."""
    third = third_player(game, seat, other)
    third_gear = gear_after(game, third)
    third_danger = work["score"][DANGER + third]
    most = max(other_gear, third_gear)
    mine = knocked_out(game, rules, work, seat, seat, my_gear, f_my_danger, most, 0)
    theirs = knocked_out(game, rules, work, seat, other, other_gear, f_their_danger, third_gear, my_gear)
    thirds = knocked_out(game, rules, work, seat, third, third_gear, third_danger, other_gear, my_gear)
    ends = max(mine + theirs + thirds, 1.0)
    won = theirs * compared(my_gear, third_gear) + thirds * compared(my_gear, other_gear)
    goes_on = ends - mine - theirs - thirds
    if goes_on > 0.0:  # then nobody was knocked out
        i = strength(game, rules, seat, f_mine + mine)
        everyone = i + strength(game, rules, seat, f_theirs + theirs)
        third_standing = third_gear - third_danger + work["score"][EXTRAS + third]
        everyone += strength(game, rules, seat, third_standing + thirds)
        won += goes_on * i / everyone
    return won / ends


@kernel
def duel(f_my_danger, f_rival_danger):
    """Win share of two with equal gear: the next hit decides."""
    return min(max(0.5 + 0.5 * (f_rival_danger - f_my_danger), 1.0 - SURE_EDGE), SURE_EDGE)


@kernel
def outlook(game, rules, work, seat, other, my_gear, other_gear, f_mine, f_my_danger, f_theirs, f_their_danger):
    """Win share of `seat` once he and `other` have this gear, standing (f_mine, f_theirs) and danger; the rest as is.

    Exact where the rules count gear: in a game of three or more as soon as two are left, else with one left.
    """
    left = int(work["score"][LEFT]) - (my_gear <= 0) * (gear_after(game, seat) > 0)
    left -= (other_gear <= 0) * (gear_after(game, other) > 0)
    if my_gear <= 0:
        return 0.5 * (left == 0)
    if left <= 1:
        return 1.0
    if game["seats"] > 2 and left == 3:
        return counted_at_three(
            game, rules, work, seat, other, my_gear, other_gear, f_mine, f_my_danger, f_theirs, f_their_danger
        )
    if game["seats"] > 2 and left == 2:
        rival_gear = other_gear
        rival_danger = f_their_danger
        if other_gear <= 0:
            rival = third_player(game, seat, other)
            rival_gear = gear_after(game, rival)
            rival_danger = work["score"][DANGER + rival]
        if my_gear == rival_gear:
            return duel(f_my_danger, rival_danger)
        return compared(my_gear, rival_gear)
    mine = strength(game, rules, seat, f_mine)
    everyone = work["score"][TOTAL] - work["score"][STRENGTH + seat] - work["score"][STRENGTH + other] + mine
    if other_gear > 0:
        everyone += strength(game, rules, seat, f_theirs)
    return mine / max(everyone, mine)
