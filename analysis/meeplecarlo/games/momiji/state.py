"""Record types of Momiji: the rule options, a position and a scored item. Every field is documented here once.

Scalars are int64, so that compiled code needs one version of each function; arrays are as small as they can be.

Seats, types, faces, goals and landscapes are numbered from 0 inside the program and from 1 in files and logs (faces
from 0 there too). A *face* is a row of the card file; a *card* is ``16 * type + face``. A *bundle* is an int64 that
counts the cards of one type, four bits a face, so a set of cards is a bundle for each type.

A move is ``ACTION * action`` plus what it needs:

==========  =============================================================================================
collect     type
reveal      nothing
play        ``ROW * row + 4 * card + side``; row 0, or 1..3: the seat's landscape that makes it legal
activate    place of the goal
trade       nothing; in the phase `trade` the two cards are ``PAIR_CODE + 128 * card + card``, the lower first
landscape   ``ROW * row`` plus what the effect needs: ``4 * card + side``, ``OF_TYPE + type``, ``OF_GOAL + place of
            the goal``, or NOTHING
discard     card
==========  =============================================================================================

pass, stop and end need nothing. Side is NO_SIDE unless the card starts a stack beside others.
"""

import numpy as np

from meeplecarlo.games.momiji import MAX_FACES, MAX_GOALS, MAX_LANDSCAPES, MAX_TYPES, ROWS

N_SEATS = 4  # rows of the arrays by seat
VALUES = 4  # cards are worth 0..3
CLOSING = 3  # value that closes a stack
DECK_SIZE = 128  # places of the deck: MAX_CARDS, rounded up so that loops over them take whole vectors
DISPLAY = 4  # cards in the display, and cards a paid reveal adds

MAIN, COLLECT, MORE, TRADE, AFTER, DISCARD = range(6)  # state.phase

# Actions; PAIR is the second half of a trade.
ACTIONS = ("collect", "reveal", "play", "activate", "trade", "landscape", "pass", "stop", "end", "discard")
A_COLLECT, A_REVEAL, A_PLAY, A_ACTIVATE, A_TRADE, A_LANDSCAPE, A_PASS, A_STOP, A_END, A_DISCARD, A_PAIR = range(11)
ACTION = 4096
ROW = 1024
OF_TYPE, OF_GOAL, NOTHING = 384, 448, 512  # above every 4 * card + side
PAIR_CODE = ACTION * A_PAIR
CODES = PAIR_CODE + 128 * 128  # every move is below
SIDES = ("left", "right")
NO_SIDE, LEFT, RIGHT = range(3)

MEASURES = ("cards_of_type", "cards_of_value", "sum_of_tops", "closed_stacks", "longest_stack")
CARDS_OF_TYPE, CARDS_OF_VALUE, SUM_OF_TOPS, CLOSED_STACKS, LONGEST_STACK = range(5)

EFFECTS = (
    "collect_second", "reveal_collect", "take_other", "place_extra", "jump", "start_with", "gain", "claim_goal", "draw",
)  # fmt: skip
COLLECT_SECOND, REVEAL_COLLECT, TAKE_OTHER, PLACE_EXTRA, JUMP, START_WITH, GAIN, CLAIM_GOAL, DRAW = range(9)

TRIGGERS = ("deck", "torii")
BY_DECK, BY_TORII = range(2)

STACK, ACORNS, GOAL = range(3)  # categories

OVER = -1  # state.seat once the game has ended
NONE = -1  # nothing lies here; nobody; not yet
HIDDEN = -2  # something lies here that the seat looking at this view cannot know

RULES = np.dtype(
    [
        ("n_seats", np.int64),  # 2..4
        ("n_types", np.int64),  # n_seats + 2: leaf types, goals laid out and torii
        ("n_faces", np.int64),  # 1..MAX_FACES
        ("n_cards", np.int64),  # cards in play, up to MAX_CARDS
        ("hand_size", np.int64),  # 1..8
        ("hand_limit", np.int64),  # 1..20
        ("start_acorns", np.int64),  # 0..20
        ("goal_cost", np.int64),  # acorns, 0..20
        ("goal_points", np.int64),  # 0..50
        ("other_goal_points", np.int64),  # 0..50
        ("pair_acorns", np.int64),  # 0..10
        ("activation", np.int64),  # 0: goals cannot be claimed
        ("last_round", np.int64),  # 1: one more round is played after the one that triggers the end
        ("zero_scores", np.int64),  # 1: a goal whose best value is 0 scores
        ("to_four", np.int64),  # 1: the display is filled to four after each taking; 0: only once it is empty
        ("random_landscapes", np.int64),  # 0: every seat has the first landscape of each row
        ("copies", np.int64),  # bundle of all cards of a type
        # Which faces may be laid (bit 4 * face) on a stack whose top is face f, at index f + 1; on no stack at 0:
        ("may_follow", np.int64, (MAX_FACES + 1,)),
        ("reach", np.int64, (MAX_LANDSCAPES, MAX_FACES + 1)),  # and which only by using each landscape
        ("n_usable", np.int64),  # goals that can be laid out, n_types..MAX_GOALS
        ("usable", np.int8, (MAX_GOALS,)),  # these goals
        ("measure", np.int8, (MAX_GOALS,)),  # CARDS_OF_TYPE.. of each goal
        ("argument", np.int8, (MAX_GOALS,)),  # its type (from 0) or value; 0 for measures without
        ("effect", np.int8, (MAX_LANDSCAPES,)),  # COLLECT_SECOND.. of each landscape
        ("amount", np.int8, (MAX_LANDSCAPES,)),  # its amount, 0..20; 0 for effects without
        ("n_in_row", np.int64, (len(ROWS),)),  # landscapes of each row
        ("in_row", np.int8, (len(ROWS), MAX_LANDSCAPES)),  # these landscapes
        ("value", np.int8, (MAX_FACES,)),  # 0..3 of each face
        ("left_acorn", np.int8, (MAX_FACES,)),  # 1: an acorn in its left corner
        ("right_acorn", np.int8, (MAX_FACES,)),
        ("box", np.int8, (DECK_SIZE,)),  # all cards in play, ascending; NONE behind
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("seat", np.int64),  # seat to decide, 0..3; OVER at the end
        ("phase", np.int64),  # MAIN..DISCARD
        ("round_number", np.int64),  # from 1 (a field named "round" would hide behind a method of numpy records)
        ("deck_left", np.int64),  # cards in the deck
        ("display_cards", np.int64),  # cards in the display
        ("display", np.int64, (MAX_TYPES,)),  # bundles
        ("unseen", np.int64, (MAX_TYPES,)),  # bundles of cards nobody has shown: in the deck, or unknown in a hand
        ("discarded", np.int64, (MAX_TYPES,)),  # bundles of the cards that left the game
        ("hand", np.int64, (N_SEATS, MAX_TYPES)),  # bundles
        ("known", np.int64, (N_SEATS, MAX_TYPES)),  # the part of each hand that all seats know
        ("top", np.int8, (N_SEATS, MAX_TYPES)),  # face on top of each stack, NONE: no stack
        ("stack_cards", np.int8, (N_SEATS, MAX_TYPES)),  # cards in each stack
        ("in_line", np.int8, (N_SEATS, MAX_TYPES)),  # types of the stacks of each seat, left to right; NONE behind
        ("of_value", np.int8, (N_SEATS, VALUES)),  # cards in the stacks of each seat, by value
        ("tops", np.int8, (N_SEATS,)),  # sum of the values on top of the stacks of each seat
        ("shut", np.int8, (N_SEATS,)),  # closed stacks of each seat
        ("longest", np.int8, (N_SEATS,)),  # cards in its longest stack
        ("hand_cards", np.int8, (N_SEATS,)),  # cards in each hand
        ("stacks", np.int8, (N_SEATS,)),  # stacks of each seat, 0..n_types
        ("acorns", np.int16, (N_SEATS,)),
        ("landscape", np.int8, (N_SEATS, len(ROWS))),  # landscapes of each seat by row
        ("used", np.int8, (N_SEATS,)),  # rows whose landscape the seat has used, a bit each
        ("goal", np.int8, (MAX_TYPES,)),  # goal laid out in each place, NONE behind
        ("holder", np.int8, (MAX_TYPES,)),  # seat that has claimed it, or NONE
        ("closed", np.int8),  # closed stacks of all seats
        ("trigger", np.int8),  # what triggered the end: BY_DECK or BY_TORII, NONE before
        ("trigger_round", np.int8),  # round in which it did, 0 before
        ("acorns_paid", np.int16),  # by all seats so far
        # The turn that is being played:
        ("traded", np.int8),  # 1: the trade of the turn is used up
        ("powered", np.int8),  # 1: the landscape of the turn is used up
        ("revealed", np.int8),  # 1: the paid reveal is used up
        ("collected", np.int8),  # type collected as the main action, or NONE
        ("placed", np.int8),  # types laid in the present play, a bit each
        ("n_placed", np.int8),  # cards laid in it
        ("back", np.int8),  # phase to return to after a trade: MAIN or AFTER
        ("deck", np.int8, (DECK_SIZE,)),  # drawn from deck[n_cards - deck_left] on; NONE once drawn and behind
    ],
    align=True,
)

LINE = np.dtype(
    [
        ("seat", np.int8),
        ("category", np.int8),  # STACK, ACORNS or GOAL
        ("slot", np.int8),  # type of the stack; MAX_TYPES: acorns; MAX_TYPES + 1 + place of the goal
        ("points", np.int32),
        ("cards", np.uint8),  # cards of a stack; the seat's measure of a goal; 0 for acorns
        ("top", np.uint8),  # value on top of a stack; 1 for the holder of a goal; else 0
    ],
    align=True,
)
