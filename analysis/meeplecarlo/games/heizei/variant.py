"""From option values to a RULES record."""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import records
from meeplecarlo.errors import UsageError
from meeplecarlo.games.heizei import COLOURS, MAX_HAND, SIZES
from meeplecarlo.games.heizei.cards import EACH
from meeplecarlo.games.heizei.state import ENDLESS, RULES

SHORTEST_TRACK = 8


def make_rules(n_seats: int, options: dict, components: dict[str, tuple[str, str]]) -> np.ndarray:
    """Return the rules of one variant.

    Parameters
    ----------
    n_seats : int
        3 to 5.
    options : dict
        Every option of the game by name, already checked against its range.
    components : dict
        Empty: cards of a colour are alike, so no file lists them.

    Returns
    -------
    ndarray of RULES, shape (1,)

    Raises
    ------
    UsageError
        If the cards cannot be dealt evenly, a hand would be too large, or the track too short.
    """
    each = options["cards_per_colour"][SIZES.index(n_seats)]
    hand_size, left_over = divmod(each * len(COLOURS), n_seats)
    if left_over:
        raise UsageError(
            f"cards_per_colour: {len(COLOURS)} x {each} cards cannot be dealt evenly to {n_seats} seats, "
            f"{left_over} would be left over."
        )
    if hand_size > MAX_HAND:
        raise UsageError(
            f"cards_per_colour: {len(COLOURS)} x {each} cards make hands of {hand_size} cards with {n_seats} seats; "
            f"at most {MAX_HAND} are possible."
        )
    track = options["track"]
    if 0 < track < SHORTEST_TRACK:
        raise UsageError(f"track must be 0 (no end) or at least {SHORTEST_TRACK} spaces, got {track}.")
    array = records(1, RULES)
    rules = array[0]
    rules["n_seats"] = n_seats
    rules["hand_size"] = hand_size
    rules["all_cards"] = EACH * each
    rules["steps"][1:] = options["steps"]
    rules["values"] = options["first_values"], options["second_values"]
    rules["tiles"][1:n_seats] = sorted(options[f"tiles_{n_seats}"], reverse=True)
    rules["track"] = track or ENDLESS
    rules["penalty"] = options["penalty"] == "most"
    rules["remembered"] = options["memory"] == "perfect"
    return array
