"""Which of these players is better, and by how much? Played on the same deals until that is known."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from meeplecarlo.errors import UsageError
from meeplecarlo.registry import Game, get_game
from meeplecarlo.report.sample import Sample
from meeplecarlo.report.tables import shared_points
from meeplecarlo.simulation.design import make_design, parse_spec, split_specs
from meeplecarlo.simulation.plan import part_deals_for, whole
from meeplecarlo.simulation.run import simulate
from meeplecarlo.stats.intervals import Interval, share_of_sums, t_interval
from meeplecarlo.stats.linear import Linear, ratio
from meeplecarlo.stats.sequential import LEAST_DEALS, confidence_sequence
from meeplecarlo.stats.verdicts import MARGIN, UNDECIDED, verdict
from meeplecarlo.store.dataset import Run
from meeplecarlo.studies.stopping import CI, GAMES, SPRT, Stopping

CAP = 1_000_000  # games of a study that stops by precision or test
PART_DEALS = 250
GROWTH = 1.3  # of the number of deals from one look at the numbers to the next
TEAM_SEATS = 2  # of a game whose result all share, unless told otherwise


@dataclass(frozen=True)
class Standing:
    """What is known after some deals.

    Attributes
    ----------
    means : dict of str to Linear
        By player: win share per seat held or, where all seats share the result, points of a team of that player.
    samples : list of Sample
        One for all players, or one a team.
    """

    means: dict[str, Linear]
    samples: list[Sample]

    @property
    def deals(self) -> int:
        """Complete deals."""
        return len(self.samples[0].deals)

    @property
    def games(self) -> int:
        """Games in them, of all runs."""
        return sum(sample.games for sample in self.samples)

    @property
    def identical(self) -> bool:
        """Whether one game was repeated, so that nothing is known about chance."""
        return any(sample.identical for sample in self.samples)

    @property
    def shared_result(self) -> bool:
        """Whether all seats share the result."""
        return self.samples[0].run.game.shared_result

    def pairs(self) -> list[tuple[str, str, Linear]]:
        """Return (player, other, player minus other) for every two players."""
        return [(a, b, self.means[a] - self.means[b]) for a, b in itertools.combinations(self.means, 2)]

    def lead(self) -> np.ndarray:
        """Return the first player's lead by deal, shape (B,).

        Its win share less parity (1 / seats) or, where all seats share the result, the points of its team less those
        of the second.
        """
        first, second = (m.estimate + m.parts * len(m.parts) for m in list(self.means.values())[:2])
        return first - (second if self.shared_result else 1 / self.samples[0].run.n_seats)


@dataclass(frozen=True)
class Comparison:
    """A finished comparison.

    Attributes
    ----------
    runs : list of Run
        One with all players or, where all seats share the result, one a player, on the same deals.
    standing : Standing
    stopping : Stopping
    margin : float
        Differences smaller than this do not matter.
    reached : bool
        Whether the stopping rule was met, rather than the cap on games.
    looks : int
        How often the numbers were looked at.
    """

    runs: list[Run]
    standing: Standing
    stopping: Stopping
    margin: float
    reached: bool
    looks: int

    @property
    def players(self) -> list[str]:
        """Labels of the players compared, in the order given."""
        return list(self.standing.means)

    def verdict_on(self, statistic: Linear) -> str:
        """Return one of `stats.verdicts.VERDICTS` on a difference."""
        if self.standing.identical:
            return UNDECIDED
        if self.stopping.kind == SPRT:
            # The test has decided; a plain interval at the moment it did so is biased.
            return {"ahead": "stronger", "behind": "weaker", "no such difference": "equivalent"}.get(
                self.stopping.decision(self.standing.lead()), UNDECIDED
            )
        return verdict(statistic, self.margin)

    def interval(self, statistic: Linear) -> Interval:
        """Return the interval of a difference: one that allows for looking, if a test stopped the study."""
        if self.stopping.kind == SPRT:
            return confidence_sequence(statistic.estimate + statistic.parts * len(statistic.parts))
        return t_interval(statistic)


def line_ups(game: Game, players: list[str], seats: int | None) -> list[list[str]]:
    """Return the line-ups that compare these players: one of all, each equally often, or a team of each.

    Raises
    ------
    UsageError
        If there are fewer than two players, one is named twice, or they cannot share the seats evenly.
    """
    labels = [parse_spec(game, text).label for text in players]
    if len(labels) < 2:
        raise UsageError(f"compare needs at least two players, got {len(labels)}.")
    for label in labels:
        if labels.count(label) > 1:
            raise UsageError(f"{label} is named twice; a player compared with itself differs by chance alone.")
    low, high = game.seats
    if game.shared_result:
        number = min(max(low, TEAM_SEATS), high) if seats is None else seats
        game.check_seats(number)
        return [[label] * number for label in labels]
    fitting = [n for n in range(low, high + 1) if n % len(labels) == 0]
    if not fitting or (seats is not None and seats not in fitting):
        wanted = f"{seats} seats" if seats is not None else f"its {game.seats_in_words(' to ')} seats"
        possible = f" Possible: {', '.join(map(str, fitting))} seats." if fitting else ""
        raise UsageError(
            f"{len(labels)} players cannot share {wanted} of {game.title} evenly, each in as many.{possible}"
        )
    number = fitting[0] if seats is None else seats
    return [labels * (number // len(labels))]


def compare(
    game: str,
    players: str | list[str],
    *,
    until: str = "games=10000",
    seats: int | None = None,
    margin: float = MARGIN,
    max_games: int = CAP,
    seed: int | None = None,
    jobs: int = 1,
    options: dict | None = None,
    components: dict | None = None,
    out: str | Path,
    overwrite: bool = False,
    resume: bool = False,
    quiet: bool = False,
    command: list[str] | None = None,
    on_look: Callable[[Standing, Stopping], None] = lambda standing, stopping: None,
) -> Comparison:
    """Play players against each other until a question about them is answered.

    Parameters
    ----------
    game : str
    players : str or list of str
        Two or more different player specs.
    until : str
        ``games=N``; ``ci=1pp``: until every win share (with teams: every difference of points) is known to that
        half-width; ``sprt=2pp``: until a sequential test has told a lead of the first of two players over parity of
        that size, or a lag, from none.
    seats : int, optional
        By default the fewest that the players can share evenly; two for teams.
    margin : float
        Differences of win share (of points with teams) smaller than this do not matter.
    max_games : int
        Where a study by ``ci`` or ``sprt`` gives up.
    out : path
        Run folder, or folder of one run a team.
    on_look : callable
        Called with the standing whenever the numbers are looked at.

    Other parameters as in `simulate`.

    Raises
    ------
    UsageError
        If the players cannot be compared like this.
    """
    entry = get_game(game)
    specs = split_specs(players) if isinstance(players, str) else [str(p) for p in players]
    arms = line_ups(entry, specs, seats)
    stopping = Stopping.parse(until, entry.shared_result)
    if stopping.kind == SPRT and len(specs) != 2:
        raise UsageError(f"--until sprt tells two players apart, but {len(specs)} were named; use games or ci.")
    if not margin > 0:
        raise UsageError(f"margin must be above 0, got {margin:g}.")
    cap = stopping.most_games(whole("max_games", max_games, 1, 2**32 - 1))
    seed = secrets.randbits(53) if seed is None and not resume else seed
    lineup = tuple(parse_spec(entry, label) for label in arms[0])
    # Small parts, for the numbers are looked at after whole parts; a comparison that goes on keeps the parts it has.
    part_deals = min(PART_DEALS, part_deals_for(lineup, make_design(lineup, cap)))
    folders = [Path(out)] if len(arms) == 1 else [Path(out) / f"team-{i + 1}" for i in range(len(arms))]
    per_deal = make_design(lineup, 1).seatings
    tables = ["scores", "rounds"] if entry.chance else ["scores", "rounds", "moves"]
    deals, last = (cap // per_deal, cap // per_deal) if stopping.kind == GAMES else (part_deals, cap // per_deal)
    if last < 2:
        raise UsageError(f"a comparison needs at least two deals, that is {2 * per_deal} games; {cap} were asked for.")
    looks, done = 0, False
    while True:
        runs = [
            simulate(
                game, arm, games=deals * per_deal, seed=seed, jobs=jobs, options=options, components=components,
                out=folder, tables=tables, part_deals=None if resume else part_deals, overwrite=overwrite and not looks,
                resume=resume or looks > 0, quiet=quiet, command=command,
            )
            for arm, folder in zip(arms, folders, strict=True)
        ]  # fmt: skip
        seed = runs[0].manifest["seed"]
        standing, looks = standing_of(runs), looks + 1
        on_look(standing, stopping)
        done = _reached(stopping, standing)
        if done or deals >= last:
            return Comparison(runs, standing, stopping, margin, done or stopping.kind == GAMES, looks)
        # A whole number of parts, so that no part is played twice.
        deals = min(last, part_deals * round(np.ceil(deals * GROWTH / part_deals)))


def standing_of(runs: list[Run]) -> Standing:
    """Return the means of all players over the complete deals of their runs."""
    samples = [Sample.of(run) for run in runs]
    means = {}
    for sample in samples:
        if sample.run.game.shared_result:
            sums = sample.sums(shared_points(sample), [], n=pl.len(), points=pl.col("points").sum())[()]
            means[sample.run.players[0]] = ratio(sums["points"], sums["n"])
            continue
        sums = sample.sums(sample.run.seats, ["player"], n=pl.len(), wins=pl.col("win_share").sum())
        means |= {player: ratio(sums[player,]["wins"], sums[player,]["n"]) for player in sample.run.players}
    return Standing(means, samples)


def _reached(stopping: Stopping, standing: Standing) -> bool:
    if stopping.kind == CI:
        if standing.shared_result:
            return stopping.reached([t_interval(d) for _, _, d in standing.pairs()], None)
        return stopping.reached([share_of(m) for m in standing.means.values()], None)
    return standing.deals >= LEAST_DEALS and stopping.reached([], standing.lead())


def share_of(mean: Linear) -> Interval:
    """Return the interval of a mean win share (`stats.intervals.share_of_sums`)."""
    per_deal = mean.n / len(mean.parts)
    # Deals hold equally many seats of a player, so a deal's share is its part of the estimate.
    return share_of_sums(np.clip((mean.estimate + mean.parts * len(mean.parts)) * per_deal, 0, per_deal), per_deal)
