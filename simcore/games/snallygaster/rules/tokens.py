"""What lies on buildings and districts: search tokens, stars, mirrors, trees, hatchlings, bystanders, lights (L19,
L25)."""

from simcore.games.snallygaster.kernel import inline, kernel, make_option, option_a
from simcore.games.snallygaster.layout import (
    ANY_COLOUR,
    BYSTANDERS,
    HATCHLINGS,
    LIGHTS,
    MIRRORS,
    STARS,
    TREES,
    Decision,
    Event,
    Ledger,
    Option,
    Place,
    Span,
    Stream,
)
from simcore.play import count_peak, decide, log, offer
from simcore.rng import next_shuffle, put_card, sort_cards, sorted_card

STEP_2, BY_EFFECT, BY_TREEHOUSE, AT_SETUP = 0, 1, 2, 3  # why a search token is put, for the trace


@kernel
def put_token(game, rules, work, building, reason):
    """A search token on a building, if the supply has one [L19]."""
    if game["tokens_out"] >= rules["search_tokens"]:
        game["tally"][Ledger.NO_TOKEN] += 1
        log(game, work, Event.TOKEN, game["active"], building, reason, 1)
        return
    game["tokens"][building] += 1
    game["tokens_out"] += 1
    count_peak(game, Span.TOKENS, game["tokens_out"])
    log(game, work, Event.TOKEN, game["active"], building, reason, 0)


@kernel
def choose_building(game, rules, work, seat, colour):
    """A building of a colour (or any) for a token, the choice of `seat`; -1 if there is none."""
    game["options"] = 0
    for building in range(rules["buildings"]):
        if colour == ANY_COLOUR or rules["building_colour"][building] == colour:
            offer(game, make_option(Option.BUILDING, building, 0, 0))
    if game["options"] == 0:
        game["tally"][Ledger.NOTHING_TO_DO] += 1
        return -1
    return option_a(decide(game, rules, work, seat, Decision.BUILDING))


@inline
def bits_of(game, place):
    """Where tokens of a kind lie: bits of buildings (of districts for lights)."""
    if place == Place.STAR:
        return game["stars"]
    if place == Place.MIRROR:
        return game["mirrors"]
    if place == Place.TREE:
        return game["trees"]
    if place == Place.HATCHLING:
        return game["hatchlings"]
    if place == Place.BYSTANDER:
        return game["bystanders"]
    return game["lights"]


@inline
def set_bits(game, place, bits):
    """Say where tokens of a kind lie."""
    if place == Place.STAR:
        game["stars"] = bits
    elif place == Place.MIRROR:
        game["mirrors"] = bits
    elif place == Place.TREE:
        game["trees"] = bits
    elif place == Place.HATCHLING:
        game["hatchlings"] = bits
    elif place == Place.BYSTANDER:
        game["bystanders"] = bits
    else:
        game["lights"] = bits


@inline
def supply(place):
    """Tokens of a kind in the box (rulebook, Components)."""
    if place == Place.STAR:
        return STARS
    if place == Place.MIRROR:
        return MIRRORS
    if place == Place.TREE:
        return TREES
    if place == Place.HATCHLING:
        return HATCHLINGS
    if place == Place.BYSTANDER:
        return BYSTANDERS
    return LIGHTS


@kernel
def count_bits(bits):
    """How many bits are set."""
    n = 0
    while bits != 0:
        bits &= bits - 1
        n += 1
    return n


@kernel
def put(game, work, place, where):
    """A token of a kind onto a building or district."""
    set_bits(game, place, bits_of(game, place) | (1 << where))
    log(game, work, Event.PUT, game["active"], place, where, 0)
    if place == Place.BYSTANDER:
        count_peak(game, Span.BYSTANDERS, count_bits(game["bystanders"]))


@kernel
def take(game, work, place, where):
    """A token of a kind off a building or district."""
    set_bits(game, place, bits_of(game, place) & ~(1 << where))
    log(game, work, Event.TAKEN, game["active"], place, where, 0)


@kernel
def scatter(game, rules, work, place, n):
    """Put tokens of a kind on buildings drawn by lot, at most one each; hatchlings on trees. As many as there are."""
    present = bits_of(game, place)
    left = supply(place) - count_bits(present)
    if n > left:
        n = left
    allowed = game["trees"] if place == Place.HATCHLING else -1
    shuffle = next_shuffle(game, Stream.TOWN)
    free = 0
    for building in range(rules["buildings"]):
        if (present >> building) & 1 == 0 and (allowed >> building) & 1 == 1:
            put_card(work, free, shuffle, rules["building_id"][building], building)
            free += 1
    if n > free:
        n = free
    if n <= 0:
        game["tally"][Ledger.NOTHING_TO_DO] += 1
        return
    sort_cards(work, free)
    for i in range(n):
        put(game, work, place, sorted_card(work, i))


@kernel
def light_district(game, rules, work, seat):
    """A searchlight on a district without one, the choice of `seat`."""
    game["options"] = 0
    if count_bits(game["lights"]) < LIGHTS:
        for district in range(rules["districts"]):
            if (game["lights"] >> district) & 1 == 0:
                offer(game, make_option(Option.DISTRICT, district, 0, 0))
    if game["options"] == 0:
        game["tally"][Ledger.NOTHING_TO_DO] += 1
        return
    put(game, work, Place.LIGHT, option_a(decide(game, rules, work, seat, Decision.LIGHT)))


@kernel
def smash_mirror(game, rules, work, seat):
    """A mirror goes back, the choice of `seat`."""
    game["options"] = 0
    for building in range(rules["buildings"]):
        if (game["mirrors"] >> building) & 1:
            offer(game, make_option(Option.BUILDING, building, 0, 0))
    if game["options"] == 0:
        game["tally"][Ledger.NOTHING_TO_DO] += 1
        return
    take(game, work, Place.MIRROR, option_a(decide(game, rules, work, seat, Decision.MIRROR)))
