"""A run as plain values: checked once, then the same for every worker, and found again in every manifest."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from meeplecarlo.errors import SchemaError, UsageError, unknown
from meeplecarlo.registry import get_game
from meeplecarlo.simulation.design import Design, PlayerSpec, make_design, parse_lineup
from meeplecarlo.store.schema import REQUIRED, TABLES
from meeplecarlo.variant import Variant, make_variant

MAX_GAMES = 2**32 - 1  # game numbers are 32 bits in the logs
PART_GAMES = 8_000
MAX_PART_DEALS = 100_000  # a part is held in memory
MAX_PARTS = 99_999  # part files are numbered with five digits
LEAST_PARTS = 8  # so that a small run can be shared between cores too
SEARCH_COST = 10  # a search with this many playouts makes parts half as large


@dataclass(frozen=True)
class Plan:
    """A run as plain values: everything a worker needs to play any part of it.

    Attributes
    ----------
    tables : tuple of str
        Tables to write.
    part_deals : int
        Deals per part.
    """

    variant: Variant
    lineup: tuple[PlayerSpec, ...]
    design: Design
    seed: int
    tables: tuple[str, ...]
    part_deals: int

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return -(-self.design.n_deals // self.part_deals)

    def games_of(self, part: int) -> np.ndarray:
        """Return the numbers of the games of a part (int64)."""
        first = part * self.part_deals * self.design.seatings
        last = min(first + self.part_deals * self.design.seatings, self.design.n_games)
        return np.arange(first, last, dtype=np.int64)


def part_deals_for(lineup: tuple[PlayerSpec, ...], design: Design) -> int:
    """Return how many deals make a part: a function of the run alone, never of the machine."""
    effort = 1 + sum(spec.simulations for spec in lineup) / SEARCH_COST
    by_size = PART_GAMES / design.seatings / effort
    by_number = design.n_deals / LEAST_PARTS
    return max(1, round(min(by_size, max(by_number, 16))))


def make_plan(
    game: str,
    players: str | list[str],
    games: int,
    seed: int,
    options: dict | None = None,
    components: dict | None = None,
    tables: Iterable[str] | None = None,
    part_deals: int | None = None,
) -> Plan:
    """Check everything a user asked for and return it as a plan; parameters as in `simulate`."""
    entry = get_game(game)
    lineup = parse_lineup(entry, players)
    games = whole("games", games, 1, MAX_GAMES)
    seed = whole("seed", seed, 0, 2**64 - 1)
    kept = set(TABLES if tables is None else tables) | set(REQUIRED)
    for name in kept - set(TABLES):
        raise UsageError(unknown("table", name, TABLES))
    variant = make_variant(entry, options, components)
    variant.make_rules(len(lineup))  # an inconsistent component file is reported before anything is written
    design = make_design(lineup, games)
    if part_deals is None:
        part_deals = part_deals_for(lineup, design)
    else:
        part_deals = whole("part_deals", part_deals, 1, MAX_PART_DEALS)
    plan = Plan(variant, lineup, design, seed, tuple(t for t in TABLES if t in kept), part_deals)
    if plan.n_parts > MAX_PARTS:
        raise UsageError(
            f"{games} games of this line-up make {plan.n_parts} parts, more than {MAX_PARTS}; play fewer games, or "
            "more deals a part."
        )
    return plan


def whole(name: str, value: object, low: int, high: int) -> int:
    """Return `value` as an int (numpy integers too); raise `UsageError` unless it is one from `low` to `high`."""
    try:
        number = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        top = "2^64 - 1" if high == 2**64 - 1 else high
        raise UsageError(f"{name} must be a whole number from {low} to {top}, got {value!r}.")
    return number


def plan_of(manifest: dict) -> Plan:
    """Return the plan a run was made from, out of its manifest.

    Raises
    ------
    SchemaError
        If the manifest does not describe a run that could be made: it may come from anywhere.
    """
    try:
        plan = _plan_as_written(manifest)
        game = get_game(plan.variant.game)
        players = [game.player(spec.player) for spec in plan.lineup]
        known = [tuple(w.name for w in player.weights) for player in players]
        if known != [tuple(name for name, _ in spec.weights) for spec in plan.lineup]:
            raise ValueError("the weights of the players are not those of this version")
        checked = make_variant(game, dict(plan.variant.options))
        if checked.options != plan.variant.options:
            raise ValueError("the rule options are not those of this version")
        plan.variant.make_rules(len(plan.lineup))
        whole("seed", plan.seed, 0, 2**64 - 1)
        if plan.design != make_design(plan.lineup, whole("games", plan.design.n_games, 1, MAX_GAMES)):
            raise ValueError("the design does not fit the line-up")
        whole("part_deals", plan.part_deals, 1, MAX_PART_DEALS)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SchemaError(f"the manifest of the run cannot be played again: {error}.") from None
    return plan


def _plan_as_written(manifest: dict) -> Plan:
    game, design = manifest["game"], manifest["design"]
    entry = get_game(game["name"])
    options = tuple(
        (name, tuple(value) if isinstance(value, list) else value) for name, value in game["options"].items()
    )
    components = tuple((name, c["file"], c["text"]) for name, c in game["components"].items())
    lineup = tuple(
        PlayerSpec(p["label"], p["player"], tuple(p["weights"].items()), p["simulations"]) for p in manifest["players"]
    )
    settings = manifest["settings"]
    return Plan(
        Variant(entry.name, options, components),
        lineup,
        Design(design["games"], design["seats"], design["seatings"]),
        manifest["seed"],
        tuple(settings["tables"]),
        settings["part_deals"],
    )
