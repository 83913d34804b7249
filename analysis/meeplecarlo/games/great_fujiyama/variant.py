"""From option values and the tile file to a RULES record."""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import records
from meeplecarlo.errors import ComponentError
from meeplecarlo.games.great_fujiyama.state import ANY, MAX_TILES, N_SEASONS, RULES
from meeplecarlo.games.season_tiles.icons import read_tiles


def make_rules(n_seats: int, options: dict, components: dict[str, tuple[str, str]]) -> np.ndarray:
    """Return the rules of one variant.

    Parameters
    ----------
    n_seats : int
        1 to 5.
    options : dict
        Every option of the game by name, already checked against its range.
    components : dict of str to (str, str)
        For ``tiles``: the file's name for messages, and its text.

    Returns
    -------
    ndarray of RULES, shape (1,)

    Raises
    ------
    ComponentError
        If the tile file is malformed, too long, or too short for a first tile and the hands.
    """
    array = records(1, RULES)
    rules = array[0]
    rules["n_seats"] = n_seats
    rules["turns"] = 3 if options["turn"] == "thirds" else 1
    rules["talk_open"] = options["talk"] == "open"
    rules["width"] = options["width"]
    rules["hand_size"] = options["hand_size"]
    file = components["tiles"][0]
    icons = read_tiles(*components["tiles"])
    needed = 1 + n_seats * options["hand_size"]
    if not needed <= len(icons) <= MAX_TILES:
        raise ComponentError(
            f"{file}: Great Fujiyama is played with at most {MAX_TILES} tiles, and {n_seats} seats with hands of "
            f"{options['hand_size']} need at least {needed}, but the file has {len(icons)}."
        )
    rules["n_tiles"] = len(icons)
    rules["seasons"][: len(icons)] = icons // 256
    rules["showing"] = _showing(icons // 256)
    return array


def _showing(seasons: np.ndarray) -> np.ndarray:
    """Return the sets of tiles that show a season at a corner when turned, int64, shape (3, 3, 5): see RULES."""
    sets = np.zeros((3, 3, N_SEASONS + 1), np.uint64)
    for tile, corners in enumerate(seasons.tolist()):
        bit = np.uint64(1 << tile)
        for turn in range(1 if len(set(corners)) == 1 else 3):
            for corner in range(3):
                sets[turn, corner, corners[(corner - turn) % 3]] |= bit
                sets[turn, corner, ANY] |= bit
    return sets.view(np.int64)
