/* The Great Snowball Battle in plain C, written for speed: the limit that the compiled kernels are measured against.
 *
 * It knows the default rules and rulings, no kids, and players who take any legal option. Its luck is that of
 * simcore/rng.py, so every game comes out as in the simulator. content.h holds the cards; twin.py writes it.
 *
 * What lies in the discards is never recorded: it is all that is neither in a hand, nor before a player, nor in the
 * draw deck, and it is asked for only when a draw deck is empty.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

/* What the items and Events do; content.h refers to these names. */
enum use { NOTHING, MODIFIER, CONDITION, LID, BAT, SLED, LOOKOUT, ARMFUL };  /* Actions last */
enum event { LUCKY_FIND, SNOWPLOW, MOM_HOLLERING, COLD_HANDS, LOST_ITEM, EXTRA_THROW, EVERYONE_RUNS, WHITEOUT, NUMB };

#include "content.h"

#define SEATS 6
#define HAND 2
#define NO_CARD 64
#define WHITEOUT_COVER 2
#define BITS(n) (~UINT64_C(0) >> (64 - (n)))
#define ALL_NUMBERED BITS(NUMBERED)
#define RARE __attribute__((noinline))

enum status { PLAYING, WON, TIED, CAPPED };
enum stream { SNOWBALL_STREAM, LOCATION_STREAM, ITEM_STREAM, FIRST_STREAM = 4, PLOW_STREAM = 6, POLICY = 8 };

typedef struct {
    int8_t status, winner, starter, first_out;
    int16_t turns, rounds, first_out_turn, lead_changes, throws, hits, quickshot_hits, events, reshuffles, double_outs;
    int8_t share[SEATS], gear[SEATS];
} Outcome;

/* A draw deck in the order of its cards' keys. */
typedef struct {
    uint8_t order[64];
    uint64_t key[64];
    int next, size;
    uint64_t stream;    /* key of the stream */
    uint64_t shuffles;  /* made so far */
} Deck;

typedef struct {
    uint64_t stack;        /* snowballs thrown at this player, one bit a card */
    uint64_t stack_items;  /* Modifiers thrown with them */
    int16_t total;         /* of the stack */
    int16_t cover;         /* location and Condition; what lasts a round is in Game.bonus */
    uint8_t gear, location, item;  /* the item is there unless its use is NOTHING */
    uint8_t use;
    uint8_t hand[HAND], cards;
    bool cleared_last;     /* cleared out, and threw nothing since */
    uint8_t whiteouts, numbs;  /* lasting effects that this player started */
} Seat;

typedef struct {
    Seat seat[SEATS];
    uint64_t key[SEATS];  /* of each chair's policy */
    uint64_t counter;     /* decisions so far, in steps of the policy's stream */
    uint64_t hands, stacks, open;  /* cards in hands, in stacks; Events being resolved */
    int players, start;
    unsigned living;  /* bits of the chairs still in */
    int bonus, numb;  /* added to all covers; players whose Event bars QuickShots */
    int status, winner, turn, round, first_out, first_out_turn, leader, lead_changes;
    unsigned tied;
    bool gear_changed;
    int throws, hits, quickshot_hits, events, reshuffles, double_outs;
    uint64_t plow, first_key, plows;
    Deck snowballs, locations, items;
} Game;

/* --- chance --- */

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline uint64_t shuffle_key(uint64_t stream, uint64_t shuffle)
{
    return mix(stream + shuffle * UINT64_C(0x8CB92BA72F3D8DD7));
}

/* A player takes one of `options`, all alike. With one option the answer is 0 without a test: it is scaled by 1. */
static inline unsigned ask(Game *g, int seat, unsigned options)
{
    g->counter += 64 * GOLDEN;
    return (unsigned)((mix(g->key[seat] + g->counter) >> 32) * options >> 32);
}

static inline int nth_bit(unsigned bits, unsigned n)
{
#ifdef __BMI2__
    return __builtin_ctz(_pdep_u32(1u << n, bits));
#else
    while (n--)
        bits &= bits - 1;
    return __builtin_ctz(bits);
#endif
}

/* --- decks --- */

#define LANES 16
typedef int16_t vector __attribute__((vector_size(2 * LANES)));

/* The end of `shuffle` where several cards claim a place: they take it and those behind it, in order. */
static RARE void share_places(Deck *deck, const int16_t *place, int cards)
{
    memset(deck->order, NO_CARD, sizeof deck->order);
    for (int i = 0; i < cards; i++) {
        uint8_t card = (uint8_t)i, *at = &deck->order[place[i]];
        for (; *at != NO_CARD; at++)
            if (deck->key[card] < deck->key[*at]) {
                uint8_t higher = *at;
                *at = card;
                card = higher;
            }
        *at = card;
    }
}

/* Shuffle the cards of `in`, of a deck of `cards`. A card's place is the number of lower keys: quadratic, but all in
 * registers and without a branch, where a sort would guess wrong at every other comparison. It looks at the top 15
 * bits; should two cards be equal there, a place stays empty. */
static inline __attribute__((always_inline)) void shuffle(Deck *deck, const uint64_t *ids, int cards, uint64_t in)
{
    union {
        int16_t one[64];
        vector all[64 / LANES];
    } top, place;
    vector tops[64 / LANES], places[64 / LANES];
    uint64_t key = shuffle_key(deck->stream, deck->shuffles++);
    int vectors = (cards + LANES - 1) / LANES;
    for (int i = 0; i < cards; i++) {
        deck->key[i] = mix(key + ids[i]);
        top.one[i] = (int16_t)((int)(deck->key[i] >> 49) - 1);
    }
    for (uint64_t out = BITS(cards) & ~in; out; out &= out - 1)
        top.one[__builtin_ctzll(out)] = INT16_MAX;  /* after all others */
    for (int v = 0; v < vectors; v++) {
        tops[v] = top.all[v];
        places[v] = (vector){0};
    }
    for (int i = 0; i < cards; i++) {
        vector one = (vector){0} + top.one[i];
        for (int v = 0; v < vectors; v++)
            places[v] -= one < tops[v];  /* true is -1 */
    }
    for (int v = 0; v < vectors; v++)
        place.all[v] = places[v];
    memset(deck->order, NO_CARD, sizeof deck->order);
    for (int i = 0; i < cards; i++)
        deck->order[place.one[i]] = (uint8_t)i;
    deck->next = 0;
    deck->size = __builtin_popcountll(in);
    if (memchr(deck->order, NO_CARD, (size_t)deck->size))
        share_places(deck, place.one, cards);
}

static inline bool is_empty(const Deck *deck)
{
    return deck->next == deck->size;
}

static inline int draw(Deck *deck)
{
    return deck->order[deck->next++];
}

static RARE void reshuffle_snowballs(Game *g)
{
    shuffle(&g->snowballs, SNOWBALL_KEY, CARDS, BITS(CARDS) & ~(g->hands | g->stacks | g->open));
    g->reshuffles++;
}

static inline int draw_snowball(Game *g)
{
    if (__builtin_expect(is_empty(&g->snowballs), 0))
        reshuffle_snowballs(g);
    return draw(&g->snowballs);
}

static RARE void reshuffle_locations(Game *g)
{
    uint64_t cards = BITS(LOCATIONS);
    for (unsigned seats = g->living; seats; seats &= seats - 1) {
        int location = g->seat[__builtin_ctz(seats)].location;
        cards &= ~((uint64_t)(location != NO_CARD) << (location & 63));
    }
    shuffle(&g->locations, LOCATION_KEY, LOCATIONS, cards);
}

static RARE void reshuffle_items(Game *g)
{
    uint64_t cards = BITS(ITEMS);
    for (unsigned seats = g->living; seats; seats &= seats - 1) {
        const Seat *s = &g->seat[__builtin_ctz(seats)];
        cards &= ~s->stack_items;
        cards &= ~((uint64_t)(s->use != NOTHING) << s->item);
    }
    shuffle(&g->items, ITEM_KEY, ITEMS, cards);
}

static inline int draw_location(Game *g)
{
    if (__builtin_expect(is_empty(&g->locations), 0)) {
        reshuffle_locations(g);
        if (is_empty(&g->locations))
            return NO_CARD;
    }
    return draw(&g->locations);
}

/* --- what lies before a player --- */

static inline void draw_item(Game *g, Seat *s)
{
    if (__builtin_expect(is_empty(&g->items), 0)) {
        reshuffle_items(g);
        if (is_empty(&g->items))
            return;
    }
    s->item = (uint8_t)draw(&g->items);
    s->use = ITEM_USE[s->item];
    s->cover = (int16_t)(s->cover + ITEM_COVER[s->item]);
}

static inline void empty_place(Game *g, Seat *s)
{
    g->stacks ^= s->stack;
    s->stack = s->stack_items = 0;
    s->total = 0;
    s->use = NOTHING;
    s->location = NO_CARD;
}

/* Discard item, location and stack, draw a location (Lookout: keep one of two) and an item. */
static void clear_out(Game *g, int seat, bool chosen, bool best_of_two)
{
    Seat *s = &g->seat[seat];
    empty_place(g, s);
    s->location = (uint8_t)draw_location(g);
    if (best_of_two) {
        int other = draw_location(g);
        if (other != NO_CARD && ask(g, seat, 2))
            s->location = (uint8_t)other;
    }
    s->cover = COVER[s->location];
    draw_item(g, s);
    s->cleared_last |= chosen;  /* a forced one does not count for the two-player rule */
}

/* --- gear and the end --- */

static void end_lasting(Game *g, Seat *s)
{
    g->bonus -= WHITEOUT_COVER * s->whiteouts;
    g->numb -= s->numbs;
    s->whiteouts = s->numbs = 0;
}

static void send_inside(Game *g, int seat)
{
    Seat *s = &g->seat[seat];
    g->living ^= 1u << seat;
    if (g->first_out < 0) {
        g->first_out = seat;
        g->first_out_turn = g->turn;
    }
    while (s->cards)
        g->hands ^= UINT64_C(1) << s->hand[--s->cards];
    empty_place(g, s);
    end_lasting(g, s);
}

static void win(Game *g, int seat)
{
    g->status = WON;
    g->winner = seat;
}

/* A game of three or more ends when two are left with unequal gear, a game of two when one is sent inside. */
static void end_test(Game *g, unsigned outs)
{
    switch (__builtin_popcount(g->living)) {
    case 0:
        g->status = TIED;
        g->tied = outs;
        break;
    case 1:
        win(g, __builtin_ctz(g->living));
        break;
    case 2:
        if (g->players > 2) {
            int a = nth_bit(g->living, 0), b = nth_bit(g->living, 1);
            if (g->seat[a].gear != g->seat[b].gear)
                win(g, g->seat[a].gear > g->seat[b].gear ? a : b);
        }
    }
}

/* Does this player's Trashcan Lid take the hit? */
static inline bool saved(Game *g, int seat)
{
    if (g->seat[seat].use != LID || !ask(g, seat, 2))
        return false;
    g->seat[seat].use = NOTHING;
    return true;
}

static inline unsigned lose_gear(Game *g, int seat, int lost)
{
    Seat *s = &g->seat[seat];
    g->gear_changed |= lost > 0;
    s->gear = (uint8_t)(lost < s->gear ? s->gear - lost : 0);  /* several QuickShots may hit at once */
    return (unsigned)!s->gear << seat;
}

/* The snowball's hit (target -1: none) and the QuickShots' on the thrower, all at once, the thrower's first. */
static void resolve_hits(Game *g, int thrower, int target, int shots)
{
    int lost = 0, target_lost = 0;
    bool thrower_hit = shots > 0 || target == thrower;
    if (target == thrower) {
        lost += !saved(g, thrower);
        target = -1;
    }
    while (shots--)
        lost += !saved(g, thrower);
    if (target >= 0)
        target_lost = !saved(g, target);
    unsigned outs = lose_gear(g, thrower, lost);
    if (target >= 0)
        outs |= lose_gear(g, target, target_lost);
    if (outs) {
        for (unsigned seats = outs; seats; seats &= seats - 1)
            send_inside(g, __builtin_ctz(seats));
        g->double_outs += (outs & (outs - 1)) != 0;
    }
    end_test(g, outs);
    if (g->players >= AUTO_CLEAR_FROM && !g->status) {
        if (thrower_hit && g->seat[thrower].gear)
            clear_out(g, thrower, false, false);
        if (target >= 0 && g->seat[target].gear)
            clear_out(g, target, false, false);
    }
}

/* --- throwing --- */

static void refill(Game *g, int seat);

static inline int take_card(Game *g, Seat *s, int slot)
{
    int card = s->hand[slot];
    s->hand[0] = s->hand[!slot];
    s->cards--;
    g->hands ^= UINT64_C(1) << card;
    return card;
}

/* QuickShots that answer the number, clockwise from the thrower; sets the bits of who answered. */
static RARE int answers(Game *g, int thrower, uint64_t quickshots, unsigned *answered)
{
    unsigned holders = 0;
    for (int seat = 0; seat < g->players; seat++) {
        const Seat *s = &g->seat[seat];
        uint64_t held = (quickshots >> s->hand[0] & (s->cards > 0)) | (quickshots >> s->hand[1] & (s->cards > 1));
        holders |= (unsigned)held << seat;
    }
    int shots = 0;
    holders &= ~(1u << thrower);
    while (holders) {
        unsigned later = holders >> thrower << thrower;
        int seat = __builtin_ctz(later ? later : holders);
        Seat *s = &g->seat[seat];
        int slot = !(s->cards > 0 && quickshots >> s->hand[0] & 1);
        if (ask(g, seat, 2)) {
            take_card(g, s, slot);
            *answered |= 1u << seat;
            shots++;
            if (s->cards && quickshots >> s->hand[0] & 1)
                continue;  /* another one of this number */
        }
        holders ^= 1u << seat;
    }
    return shots;
}

/* A Log Bat sends the snowball to whoever sent it, who may bat it back once: returns where it lands. */
static inline int fly(Game *g, int sender, int target)
{
    for (int bats = 0; bats < 2 && g->seat[target].use == BAT && ask(g, target, 2); bats++) {
        g->seat[target].use = NOTHING;
        int batter = target;
        target = sender;
        sender = batter;
    }
    return target;
}

/* How many throws there are to choose from: card by target, and again with a Modifier. Two cards alike count once. */
static inline unsigned count_throws(const Game *g, const Seat *s)
{
    unsigned cards = s->cards - (unsigned)((s->cards == 2) & (KIND[s->hand[0]] == KIND[s->hand[1]]));
    return cards * ((unsigned)__builtin_popcount(g->living) - 1) << (s->use == MODIFIER);
}

/* The throw that is the index-th of `throws`, from the card in hand to all refills. */
static void throw_snowball(Game *g, int seat, unsigned index, unsigned throws)
{
    Seat *s = &g->seat[seat];
    unsigned others = g->living ^ 1u << seat, targets = (unsigned)__builtin_popcount(others);
    unsigned plain = throws >> (s->use == MODIFIER);  /* throws without it come first */
    bool modified = index >= plain;
    index -= plain & -(unsigned)modified;
    int power = modified ? ITEM_POWER[s->item] : 0;
    s->use = modified ? NOTHING : s->use;
    int slot = index >= targets;
    int target = nth_bit(others, slot ? index - targets : index);
    int card = take_card(g, s, slot);
    int number = NUMBER[card];
    g->throws++;
    s->cleared_last = false;

    target = fly(g, seat, target);
    Seat *t = &g->seat[target];
    g->stacks |= UINT64_C(1) << card;
    t->stack |= UINT64_C(1) << card;
    t->stack_items |= (uint64_t)modified << s->item;
    t->total = (int16_t)(t->total + number + power);
    bool hit = t->total >= t->cover + g->bonus;
    g->hits += hit;

    unsigned answered = 1u << seat;
    int shots = 0;
    uint64_t quickshots = g->hands & QUICKSHOTS[number];
    if (quickshots && !g->numb) {
        shots = answers(g, seat, quickshots, &answered);
        g->quickshot_hits += shots;
    }
    if (hit || shots) {
        resolve_hits(g, seat, hit ? target : -1, shots);
        if (g->status)
            return;
    }
    refill(g, seat);
    if (__builtin_expect(shots, 0)) {
        for (int i = 1; i < g->players; i++) {
            int other = seat + i < g->players ? seat + i : seat + i - g->players;
            if (answered >> other & 1 && !g->status)
                refill(g, other);
        }
    }
}

/* A throw that an item or an Event grants. */
static void granted_throw(Game *g, int seat)
{
    Seat *s = &g->seat[seat];
    if (g->status || !s->gear)
        return;
    unsigned throws = count_throws(g, s);
    if (throws)
        throw_snowball(g, seat, ask(g, seat, throws), throws);
}

/* --- Events --- */

/* All hands are pooled, shuffled, and handed back in the same sizes. */
static void snowplow(Game *g)
{
    uint64_t key = shuffle_key(g->plow, g->plows++), keys[SEATS * HAND];
    uint8_t cards[SEATS * HAND], sorted[SEATS * HAND];
    int n = 0;
    for (uint64_t hands = g->hands; hands; hands &= hands - 1) {
        cards[n] = (uint8_t)__builtin_ctzll(hands);
        keys[n] = mix(key + SNOWBALL_KEY[cards[n]]);
        n++;
    }
    for (int i = 0; i < n; i++) {  /* so few are sorted best without a branch: by counting the lower ones */
        int lower = 0;
        for (int j = 0; j < n; j++)
            lower += keys[j] < keys[i];
        sorted[lower] = cards[i];
    }
    n = 0;
    for (int seat = 0; seat < g->players; seat++)
        for (int i = 0; i < g->seat[seat].cards; i++)
            g->seat[seat].hand[i] = sorted[n++];
}

/* One gear to a player of one's choice who has less; never the last one. */
static void mom_hollering(Game *g, int seat)
{
    Seat *s = &g->seat[seat];
    unsigned poorer = 0;
    for (int other = 0; other < g->players; other++)
        poorer |= (unsigned)(g->seat[other].gear && g->seat[other].gear < s->gear) << other;
    if (!poorer)
        return;
    int other = nth_bit(poorer, ask(g, seat, (unsigned)__builtin_popcount(poorer)));
    s->gear--;
    g->seat[other].gear++;
    g->gear_changed = true;
    end_test(g, 0);
}

static RARE void resolve_event(Game *g, int seat, int card)
{
    Seat *s = &g->seat[seat];
    g->open |= UINT64_C(1) << card;
    g->events++;
    switch (EVENT[card - NUMBERED]) {
    case LUCKY_FIND:
        if (s->gear < GEAR) {
            s->gear++;
            g->gear_changed = true;
            end_test(g, 0);
        }
        break;
    case SNOWPLOW:
        snowplow(g);
        break;
    case MOM_HOLLERING:
        mom_hollering(g, seat);
        break;
    case COLD_HANDS:
        while (s->cards)
            g->hands ^= UINT64_C(1) << s->hand[--s->cards];
        refill(g, seat);
        break;
    case LOST_ITEM:
        s->cover = (int16_t)(s->cover - (s->use == CONDITION ? ITEM_COVER[s->item] : 0));
        s->use = NOTHING;
        break;
    case EXTRA_THROW:
        granted_throw(g, seat);
        break;
    case EVERYONE_RUNS:
        for (int i = 0; i < g->players; i++) {
            int other = seat + i < g->players ? seat + i : seat + i - g->players;
            if (g->living >> other & 1)
                clear_out(g, other, false, false);
        }
        break;
    case WHITEOUT:
        s->whiteouts++;
        g->bonus += WHITEOUT_COVER;
        break;
    case NUMB:
        s->numbs++;
        g->numb++;
    }
    g->open &= ~(UINT64_C(1) << card);
}

/* Draw until the hand is full; an Event is resolved before the next card is drawn. */
static void refill(Game *g, int seat)
{
    Seat *s = &g->seat[seat];
    while (s->cards < HAND && !g->status && s->gear) {
        if ((g->hands | g->stacks) == ALL_NUMBERED)
            return;  /* no numbered card left to draw */
        int card = draw_snowball(g);
        if (card < NUMBERED) {
            s->hand[s->cards++] = (uint8_t)card;
            g->hands |= UINT64_C(1) << card;
        } else
            resolve_event(g, seat, card);
    }
}

/* --- turns --- */

static void use_action(Game *g, int seat)
{
    Seat *s = &g->seat[seat];
    enum use use = s->use;
    s->use = NOTHING;
    if (use == ARMFUL)
        granted_throw(g, seat);
    else
        clear_out(g, seat, true, use == LOOKOUT);
    if (use != LOOKOUT)
        granted_throw(g, seat);
}

/* Options in this order: the throws, Clear Out, the Action item. */
static inline void take_turn(Game *g, int seat)
{
    Seat *s = &g->seat[seat];
    bool barred = s->cleared_last & (__builtin_popcount(g->living) == 2);
    bool action = (s->use >= SLED) & !(barred & (s->use != ARMFUL));
    unsigned throws = count_throws(g, s), options = throws + !barred + action;
    if (!options)
        return;
    unsigned index = ask(g, seat, options);
    if (index < throws)
        throw_snowball(g, seat, index, throws);
    else if (index == throws && !barred)
        clear_out(g, seat, true, false);
    else
        use_action(g, seat);
}

/* A new sole leader after a turn in which gear changed. */
static void count_lead(Game *g)
{
    int most = 0;
    unsigned leaders = 0;
    for (int seat = 0; seat < g->players; seat++)
        most = g->seat[seat].gear > most ? g->seat[seat].gear : most;
    for (int seat = 0; seat < g->players; seat++)
        leaders |= (unsigned)(g->seat[seat].gear == most) << seat;
    g->gear_changed = false;
    bool sole = !(leaders & (leaders - 1));
    int leader = sole ? __builtin_ctz(leaders) : g->leader;
    g->lead_changes += (g->leader >= 0) & (g->leader != leader);
    g->leader = leader;
}

static void play(Game *g)
{
    int seat = g->start;
    for (;;) {
        if (g->seat[seat].whiteouts | g->seat[seat].numbs)
            end_lasting(g, &g->seat[seat]);
        take_turn(g, seat);
        g->turn++;
        if (g->gear_changed)
            count_lead(g);
        if (g->status)
            return;
        if (g->turn >= TURN_CAP) {
            g->status = CAPPED;
            return;
        }
        unsigned later = g->living & ~0u << seat & ~(1u << seat);
        int next = __builtin_ctz(later ? later : g->living);
        /* a round ends as the turn passes the starting chair */
        g->round += (next <= seat) + (next >= g->start) - (seat >= g->start);
        seat = next;
    }
}

/* --- set-up --- */

/* Opening hands of numbered cards; Events drawn on the way go back to random places below the last card dealt. */
static void deal_hands(Game *g)
{
    uint64_t aside = 0;
    int last = 0;
    for (int seat = 0; seat < g->players; seat++)
        for (Seat *s = &g->seat[seat]; s->cards < HAND;) {
            int card = draw(&g->snowballs);
            if (card >= NUMBERED) {
                aside |= UINT64_C(1) << card;
                continue;
            }
            s->hand[s->cards++] = (uint8_t)card;
            g->hands |= UINT64_C(1) << card;
            last = card;
        }
    if (!aside)
        return;
    Deck *deck = &g->snowballs;
    uint64_t key = shuffle_key(deck->stream, deck->shuffles++);
    uint64_t lowest = deck->key[last], room = ~lowest >> 32;
    for (; aside; aside &= aside - 1) {
        int card = __builtin_ctzll(aside), lower = 0;
        uint64_t own = lowest + (mix(key + SNOWBALL_KEY[card]) >> 32) * room;
        for (int i = 0; i < CARDS; i++)  /* the cards dealt and those still aside are lower, too */
            lower += deck->key[i] < own;
        deck->key[card] = own;
        deck->next--;
        memmove(&deck->order[deck->next], &deck->order[deck->next + 1], (size_t)(lower - 1 - deck->next));
        deck->order[lower - 1] = (uint8_t)card;
    }
}

/* The lowest cover printed on a location starts; a tie is broken by lot. */
static int choose_start(const Game *g)
{
    unsigned tied = 0;
    int lowest = INT16_MAX;
    for (int seat = 0; seat < g->players; seat++) {
        int cover = COVER[g->seat[seat].location];
        tied = cover < lowest ? 1u << seat : tied | (unsigned)(cover == lowest) << seat;
        lowest = cover < lowest ? cover : lowest;
    }
    int start = __builtin_ctz(tied);
    uint64_t lot = mix(g->first_key + (uint64_t)start);
    while (tied &= tied - 1) {
        int seat = __builtin_ctz(tied);
        uint64_t own = mix(g->first_key + (uint64_t)seat);
        start = own < lot ? seat : start;
        lot = own < lot ? own : lot;
    }
    return start;
}

static uint64_t stream_key(const uint64_t *streams, int stream, uint64_t number)
{
    return mix(streams[stream] ^ number * UINT64_C(0xD1342543DE82EF95));
}

static void set_up(Game *g, const uint64_t *streams, int players, uint64_t number)
{
    memset(g, 0, offsetof(Game, snowballs));
    g->players = players;
    g->living = (1u << players) - 1;
    g->winner = g->first_out = g->leader = -1;
    g->plow = stream_key(streams, PLOW_STREAM, number);
    g->first_key = stream_key(streams, FIRST_STREAM, number);
    g->snowballs.stream = stream_key(streams, SNOWBALL_STREAM, number);
    g->locations.stream = stream_key(streams, LOCATION_STREAM, number);
    g->items.stream = stream_key(streams, ITEM_STREAM, number);
    g->snowballs.shuffles = g->locations.shuffles = g->items.shuffles = 0;
    shuffle(&g->snowballs, SNOWBALL_KEY, CARDS, BITS(CARDS));
    shuffle(&g->locations, LOCATION_KEY, LOCATIONS, BITS(LOCATIONS));
    shuffle(&g->items, ITEM_KEY, ITEMS, BITS(ITEMS));
    for (int seat = 0; seat < players; seat++) {
        Seat *s = &g->seat[seat];
        g->key[seat] = stream_key(streams, POLICY + seat, number);
        s->gear = GEAR;
        s->location = (uint8_t)draw_location(g);
        s->cover = COVER[s->location];
        draw_item(g, s);
    }
    deal_hands(g);
    g->start = choose_start(g);
}

/* Players of the line-up take chairs that turn by one a game. */
static void write_outcome(const Game *g, uint64_t number, Outcome *out)
{
    int turned = (int)(number % (uint64_t)g->players);
    memset(out, 0, sizeof *out);
    for (int seat = 0; seat < g->players; seat++) {
        int player = seat >= turned ? seat - turned : seat - turned + g->players;
        out->gear[player] = (int8_t)g->seat[seat].gear;
        if (g->status == WON && seat == g->winner)
            out->share[player] = 60;
        if (g->tied >> seat & 1)
            out->share[player] = (int8_t)(60 / __builtin_popcount(g->tied));
    }
#define PLAYER(seat) (int8_t)((seat) < 0 ? -1 : (seat) >= turned ? (seat) - turned : (seat) - turned + g->players)
    out->status = (int8_t)g->status;
    out->winner = PLAYER(g->winner);
    out->starter = PLAYER(g->start);
    out->first_out = PLAYER(g->first_out);
    out->first_out_turn = (int16_t)(g->first_out < 0 ? -1 : g->first_out_turn + 1);
    out->turns = (int16_t)g->turn;
    out->rounds = (int16_t)(g->round + 1);
    out->lead_changes = (int16_t)g->lead_changes;
    out->throws = (int16_t)g->throws;
    out->hits = (int16_t)g->hits;
    out->quickshot_hits = (int16_t)g->quickshot_hits;
    out->events = (int16_t)g->events;
    out->reshuffles = (int16_t)g->reshuffles;
    out->double_outs = (int16_t)g->double_outs;
}

void snowball_play(int players, uint64_t seed, uint64_t first, uint64_t games, Outcome *out)
{
    uint64_t streams[POLICY + SEATS];
    for (unsigned i = 0; i < POLICY + SEATS; i++)
        streams[i] = mix(seed + (i + 1) * UINT64_C(0xA0761D6478BD642F));
    Game g;
    for (uint64_t i = 0; i < games; i++) {
        set_up(&g, streams, players, first + i);
        play(&g);
        write_outcome(&g, first + i, &out[i]);
    }
}
