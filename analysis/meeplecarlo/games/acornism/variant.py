"""From option values and the tile file to a RULES record."""

from __future__ import annotations

import numpy as np

from meeplecarlo.compiled import records
from meeplecarlo.component_file import cell, number, rows
from meeplecarlo.errors import ComponentError
from meeplecarlo.games.acornism import MAX_ACORNS, MAX_LAID, MAX_TILES, MAX_WANT
from meeplecarlo.games.acornism.field import PLACE_COLUMNS
from meeplecarlo.games.acornism.state import RULES, WORDS

MAGIC = "magic"
COLUMNS = ("animal", "acorns")


def make_rules(n_seats: int, options: dict, components: dict[str, tuple[str, str]]) -> np.ndarray:
    """Return the rules of one variant.

    Parameters
    ----------
    n_seats : int
        2 to 4.
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
        If the tile file is malformed, too long, or too short for the hands and a first tile.
    """
    array = records(1, RULES)
    rules = array[0]
    rules["n_seats"] = n_seats
    rules["field_size"] = options["field_size"]
    rules["hand_size"] = options["hand_size"]
    rules["pieces"] = options["pieces"] or MAX_LAID
    rules["edge_scoring"] = options["edge_scoring"] == "true"
    rules["forbidden"] = options["underfed"] == "forbidden"
    tiles = read_tiles(*components["tiles"])
    needed = max(3, n_seats * options["hand_size"] + 1)
    if not needed <= len(tiles) <= MAX_TILES:
        raise ComponentError(
            f"{components['tiles'][0]}: Acornism is played with at most {MAX_TILES} tiles, and {n_seats} seats with "
            f"hands of {options['hand_size']} need at least {needed}, but the file has {len(tiles)}."
        )
    wild = options["magic"] == "wild"
    n = len(tiles)
    rules["n_tiles"] = n
    is_magic = np.array([acorns is None for _, acorns in tiles])
    rules["is_magic"][:n] = is_magic
    rules["magic"][:n] = is_magic & wild
    rules["want"][:n] = [want for want, _ in tiles]
    rules["acorns"][:n] = [acorns or 0 for _, acorns in tiles]
    rules["most_wanted"] = rules["want"].max()
    rules["most_acorns"] = rules["acorns"].max()
    shown = [(want, acorns if wild or acorns is not None else 0) for want, acorns in tiles]
    rules["kind"][:n] = [shown.index(tile) for tile in shown]
    _make_window(rules, options["field_size"])
    return array


def read_tiles(name: str, text: str) -> list[tuple[int, int | None]]:
    """Return (acorns wanted, acorns beside it) of each tile of a CSV text, None for the Magic Acorn."""
    want, plain = number(1, MAX_WANT), number(0, MAX_ACORNS)

    def acorns(content: str) -> int | None:
        if content.lower() == MAGIC:
            return None
        try:
            return plain(content)
        except ValueError:
            raise ValueError(f"expected a number from 0 to {MAX_ACORNS} or {MAGIC}, got {content!r}") from None

    return [
        (cell(name, row, "animal", cells["animal"], want), cell(name, row, "acorns", cells["acorns"], acorns))
        for row, cells in rows(name, text, COLUMNS)
    ]


def _make_window(rules: np.record, size: int) -> None:
    """Set how sets of squares are laid out in words: one where 63 bits hold the window, else two."""
    lane = (size + 4) // 2  # a field and what is around it are size + 2 wide, and start on an even column
    n_words = 1 if lane * (size + 2) <= 63 else WORDS
    word_rows = -(-(size + 2) // n_words)
    rules["lane"] = lane
    rules["n_words"] = n_words
    rules["word_rows"] = word_rows
    rules["word_bits"] = lane * word_rows
    for w in range(n_words):
        rules["full"][w] = (1 << lane * word_rows) - 1
        for row in range(word_rows):
            y = w * word_rows + row
            rules["row_starts"][y % 2, w] |= 1 << row * lane
            for column in range(lane):
                bit = row * lane + column
                rules["step"][w, bit] = PLACE_COLUMNS * y + column
                for origin in range(2):
                    if (y + origin) % 2 == 0 and column > 0:
                        rules["far_left"][origin, w] |= 1 << bit
                    if (y + origin) % 2 == 1 and column < lane - 1:
                        rules["far_right"][origin, w] |= 1 << bit
