"""Logged games, read back from Parquet, replayed by the independent implementation in reference.py.

The two share no code. They must agree on how many options every decision had, on every scored item, on the points
after every round, and on everything the logs say about a game as a whole. Games of either are also played step by
step in both at once, with other component files too, and then every move and all that lies on the table must agree.
"""

from __future__ import annotations

import random
from collections import Counter

import polars as pl
import pytest

from meeplecarlo.registry import get_game
from meeplecarlo.simulation.run import simulate
from meeplecarlo.store.dataset import open_run
from tests.games.momiji import reference
from tests.games.momiji.by_hand import (
    COPIES,
    FACES,
    GAME,
    MOVE,
    SIZES,
    bundles,
    cards,
    code,
    deal_in_order,
    deck,
    display,
    everywhere,
    faces_of,
    hand,
    phase,
    read,
    row,
)
from tests.table import Table

GAMES = 70  # in each of 30 variants
VARIANTS = (
    {},
    {"landscapes": "random"},
    {"landscapes": "random", "last_round": "false", "display_refill": "when_empty", "zero_goal": "scores"},
    {"landscapes": "random", "start_acorns": 9, "goal_cost": 1, "hand_limit": 3, "hand_size": 2},
    {"landscapes": "random", "start_acorns": 0, "pair_acorns": 5, "hand_size": 8, "hand_limit": 20},
    {"activation": "forbidden", "landscapes": "random", "start_acorns": 20, "display_refill": "when_empty"},
    {"goal_points": 7, "other_goal_points": 9, "goal_cost": 0, "zero_goal": "scores", "hand_size": 1},
    {"last_round": "false", "hand_limit": 1, "pair_acorns": 0, "start_acorns": 4},
    {"landscapes": "random", "goal_cost": 20, "start_acorns": 5, "last_round": "false"},
    {"display_refill": "when_empty", "landscapes": "random", "start_acorns": 3},
)
PLAYED = ("ply", "round", "seat", "phase", *MOVE)


def as_reference(said: dict) -> reference.Options:
    """Return rule options as the reference takes them."""
    return reference.Options(**{name: {"true": True, "false": False}.get(value, value) for name, value in said.items()})


def lineup(n_seats: int, variant: int) -> list[str]:
    """Return players: all random in some variants, and random and scripted ones in turn in the others."""
    if variant in (3, 5):
        return ["random"] * n_seats
    names = list(get_game(GAME).players)
    return ["random", *(names[1 + (variant + seat) % (len(names) - 1)] for seat in range(1, n_seats))]


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    """Return runs by (number of seats, variant), written to disk and opened again."""
    base = tmp_path_factory.mktemp("reference")
    runs = {}
    for n_seats in SIZES:
        for v, said in enumerate(VARIANTS):
            folder = base / f"{n_seats}-{v}"
            simulate(GAME, lineup(n_seats, v), games=GAMES, seed=10 * n_seats + v, options=said, out=folder)
            runs[n_seats, v] = open_run(folder)
    return runs


def rows_by_game(frame: pl.LazyFrame, columns: tuple[str, ...], order: tuple[str, ...]) -> dict[int, list[dict]]:
    """Return the rows of each game as dicts, in the order given."""
    table = frame.sort("game", *order).select("game", *columns).collect()
    return {
        game: part.to_dicts() for (game,), part in table.partition_by("game", as_dict=True, include_key=False).items()
    }


def check_run(n_seats: int, said: dict, run) -> int:
    """Compare every game of a run with its replay; return how many there are."""
    deals = {one["deal"]: one for one in run.deals.collect().to_dicts()}
    games = {one["game"]: one for one in run.games.collect().to_dicts()}
    moves = rows_by_game(run.moves, (*PLAYED, "options"), ("ply",))
    # The log's own order of scored items is part of the comparison, so it is not sorted.
    scores = run.scores.collect().partition_by("game", as_dict=True, include_key=False)
    seats = rows_by_game(run.seats, ("points", "rank", "win_share"), ("seat",))
    rounds = rows_by_game(run.rounds, ("round", "seat", "points"), ("round", "seat"))
    assert sorted(games) == list(range(len(games)))
    for game, one in games.items():
        replayed = reference.replay(n_seats, deals[one["deal"]], moves[game], options=as_reference(said))
        assert [move["options"] for move in moves[game]] == replayed.options, game
        assert scores[(game,)].rows() == replayed.scores, game
        assert [seat["points"] for seat in seats[game]] == replayed.totals, game
        assert [seat["rank"] for seat in seats[game]] == replayed.rank, game
        assert [seat["win_share"] for seat in seats[game]] == pytest.approx(replayed.win_share), game
        assert [(mark["round"], mark["seat"], mark["points"]) for mark in rounds[game]] == replayed.rounds, game
        for name in (
            "trigger", "trigger_round", "closed", "deck_left", "claimed", "holders", "acorns_paid", "truncated",
        ):  # fmt: skip
            assert one[name] == getattr(replayed, name), (game, name)
        assert one["winners"] == replayed.winners, game
        assert (one["n_seats"], one["rounds"]) == (n_seats, replayed.n_rounds), game
        assert one["decisions"] == len(moves[game])
    return len(games)


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
@pytest.mark.parametrize("n_seats", SIZES)
def test_logged_games_agree_with_the_reference(logged, n_seats, variant):
    assert check_run(n_seats, VARIANTS[variant], logged[n_seats, variant]) == GAMES


def test_these_games_are_worth_comparing(logged):
    """All phases, actions, landscapes, triggers and scored items occur, shared wins and ties at goals too."""
    seen, triggers, winners, used = Counter(), Counter(), Counter(), Counter()
    goals, scored = Counter(), Counter()
    for (_, v), run in logged.items():
        games = run.games.collect()
        triggers.update(games["trigger"].to_list())
        winners.update(len(seats) for seats in games["winners"].to_list())
        moves = run.moves.collect()
        seen.update(zip(moves["phase"], moves["action"], strict=True))
        deals = run.deals.collect().select("deal", "landscapes")
        dealt = dict(deals.rows())
        of_game = dict(games.select("game", "deal").rows())
        powered = moves.filter(pl.col("landscape").is_not_null()).select("game", "seat", "landscape")
        used.update(dealt[of_game[game]][3 * seat + place - 1] for game, seat, place in powered.rows())
        lines = run.scores.filter(pl.col("category") == "goal").collect()
        scored.update(zip(lines["points"], lines["top"], strict=True))
        paid = lines.filter(pl.col("points") > 0).group_by("game", "slot").len()
        goals.update(paid["len"].to_list())
        if VARIANTS[v].get("activation") == "forbidden":
            assert games["claimed"].sum() == 0
    assert triggers["deck"] > 1000
    assert triggers["torii"] > 5
    assert set(triggers) == {"deck", "torii"}
    assert winners[1] > 1000
    assert winners[2] > 5
    assert set(used) == set(range(1, 10))
    assert min(used.values()) > 30
    assert scored[10, 1] > 100
    assert scored[3, 0] > 100
    assert scored[0, 1] > 100
    assert scored[0, 0] > 100
    assert goals[1] > 100
    assert goals[2] > 50
    assert goals[3] > 5
    wanted = {
        "main": {"collect", "reveal", "play", "activate", "trade", "landscape"},
        "collect": {"collect", "reveal"},
        "more": {"play", "stop"},
        "trade": {"trade"},
        "after": {"trade", "landscape", "end"},
        "discard": {"discard"},
    }
    assert set(seen) >= {(name, action) for name, actions in wanted.items() for action in actions}


def test_the_reference_notices_a_wrong_log(logged):
    """The comparison can fail: whatever is changed in a log does not replay, or gives other numbers."""
    n_seats, variant = 3, 1
    run, said = logged[n_seats, variant], as_reference(VARIANTS[variant])
    game = run.games.sort("decisions", "game").last().collect().to_dicts()[0]
    deal = run.deals.filter(deal=game["deal"]).collect().to_dicts()[0]
    moves = rows_by_game(run.moves.filter(game=game["game"]), PLAYED, ("ply",))[game["game"]]

    def first(action: str, **needed) -> int:
        return next(
            i for i, move in enumerate(moves)
            if move["action"] == action and all((move[name] is None) == missing for name, missing in needed.items())
        )  # fmt: skip

    def with_change(index: int, **change) -> list[dict]:
        return [*moves[:index], moves[index] | change, *moves[index + 1 :]]

    replayed = reference.replay(n_seats, deal, moves, options=said)
    collect, laid, trade = first("collect"), first("play"), first("trade", face=False)
    wrong = {
        "a type that is not there": with_change(collect, type=7),
        "a type for a play that the hand lacks": with_change(laid, face=6),
        "a side too many": with_change(laid, side="left"),
        "a trade of cards in the wrong order": with_change(
            trade, type=moves[trade]["type_2"], face=moves[trade]["face_2"], type_2=moves[trade]["type"],
            face_2=moves[trade]["face"] + (moves[trade]["face"] == moves[trade]["face_2"]),
        ),
        "a goal twice": with_change(collect, action="activate", type=None, goal=9),
        "another seat": with_change(2, seat=(moves[2]["seat"] + 1) % n_seats),
        "another round": with_change(2, round=moves[2]["round"] + 1),
        "another phase": with_change(2, phase="discard"),
        "another ply": with_change(2, ply=3),
        "the end is missing": moves[:-1],
        "a move after the end": [*moves, moves[-1] | {"ply": len(moves)}],
        "a move twice": [*moves[:3], moves[2], *moves[3:]],
        "a landscape that is none": with_change(collect, action="landscape", landscape=4),
    }  # fmt: skip
    for name, broken in wrong.items():
        with pytest.raises(reference.RuleError):
            raise_if_replayed(name, n_seats, deal, broken, said)
    decks = (deal["deck"][::-1], deal["deck"][:-1], [*deal["deck"][:-1], (deal["deck"][-1] + 1) % 35])
    for changed in (
        *({"deck": one} for one in decks),
        {"goals": deal["goals"][:-1]},
        {"goals": [*deal["goals"][:-1], deal["goals"][0]]},
        {"landscapes": deal["landscapes"][::-1]},
        {"landscapes": deal["landscapes"][:-3]},
    ):
        with pytest.raises(reference.RuleError):
            raise_if_replayed(str(changed), n_seats, deal | changed, moves, said)
    goals = {**deal, "goals": [7, 8, 9, 10, 11] if deal["goals"] != [7, 8, 9, 10, 11] else [7, 8, 9, 10, 12]}
    if game["claimed"]:
        assert reference.replay(n_seats, goals, moves, options=said).scores != replayed.scores
    for name, value in {"start_acorns": 3, "last_round": False, "hand_limit": 7, "pair_acorns": 3}.items():
        changed = as_reference(VARIANTS[variant] | {name: value})
        try:
            other = reference.replay(n_seats, deal, moves, options=changed)
        except reference.RuleError:
            continue
        assert (other.options, other.scores) != (replayed.options, replayed.scores), name


def raise_if_replayed(name: str, n_seats: int, deal: dict, moves: list[dict], said) -> None:
    """Replay a log that must not replay."""
    reference.replay(n_seats, deal, moves, options=said)
    raise AssertionError(f"the reference replays a game with {name}")


# --- both at once --------------------------------------------------------------------------------------------------
def named(table: Table, pairs) -> list[str]:
    """Return cards of the reference in words, ascending."""
    faces = faces_of(table)
    found = [f"{'abcdef'[kind - 1]}{faces[face]}" for kind, face in pairs]
    return cards(table, bundles(table, " ".join(found)))


def compare(table: Table, other: reference.Position) -> None:
    """Compare everything that lies on the table, and what may be done."""
    state, faces = table.state, faces_of(table)
    assert table.over == (other.phase == "over")
    assert int(state.round_number) == other.round
    assert display(table) == named(table, other.display)
    assert deck(table) == [f"{'abcdef'[kind - 1]}{faces[face]}" for kind, face in other.deck]
    assert cards(table, state.discarded) == named(table, other.gone)
    assert state.holder[: table.n_seats + 2].tolist() == other.holders
    assert state.acorns_paid == other.acorns_paid
    assert (int(state.trigger), int(state.trigger_round)) == (
        {None: -1, "deck": 0, "torii": 1}[other.trigger],
        other.trigger_round or 0,
    )
    for seat, player in enumerate(other.players):
        assert hand(table, seat) == named(table, player.hand)
        assert state.acorns[seat] == player.acorns
        assert int(state.used[seat]) == sum(used << i for i, used in enumerate(player.used))
        assert row(table, seat) == [
            f"{'abcdef'[stack.type - 1]}{faces[stack.faces[-1]]} x{len(stack.faces)}" for stack in player.row
        ]
    scored = [
        (int(line["seat"]), table.game.categories[line["category"]], table.game.slots[line["slot"]],
         int(line["points"]), int(line["cards"]), int(line["top"]))
        for line in table.tally()[0]
    ]  # fmt: skip
    assert scored == [tuple(line) for line in reference.score_lines(other)]
    if not table.over:
        assert (int(state.seat), phase(table)) == (other.seat, other.phase)
        moves = [{name: move[name] for name in MOVE} for move in reference.legal_moves(other)]
        legal = table.legal()
        assert legal == sorted(set(legal))
        assert sorted(code(move) for move in moves) == legal
        assert all(read(code(move)) == move for move in moves)


def play_both(n_seats: int, rng: random.Random, said: dict, components: dict, files: dict, every: int = 1) -> Counter:
    """Play a random game in both; return how often each action was chosen, and the trigger."""
    dealt = reference.deal(n_seats, rng, options=as_reference(said), **components)
    table = deal_in_order(Table(GAME, n_seats, said, files), dealt)
    other = reference.start(n_seats, dealt, options=as_reference(said), **components)
    seen = Counter()
    eager = rng.random() < 0.5  # plays cards whenever it can, so that stacks rise and are closed
    while other.phase != "over":
        if other.ply % every == 0:
            compare(table, other)
        moves = reference.legal_moves(other)
        if eager:
            moves = [move for move in moves if move["action"] == "play"] or moves
        move = rng.choice(moves)
        table.play(code(move))
        seen[move["action"]] += 1
        if move["landscape"]:
            seen[other.player.landscapes[move["landscape"] - 1].effect] += 1
        reference.apply(other, move)
    compare(table, other)
    assert everywhere(table).total() == len(dealt["deck"])
    seen[other.trigger] += 1
    return seen


@pytest.mark.parametrize("n_seats", SIZES)
@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_the_reference_s_own_games_are_played_alike_here(n_seats, variant):
    """The other direction: games the reference makes up, with every move it offers at every step."""
    rng = random.Random(f"{n_seats} {variant}")
    seen = play_both(n_seats, rng, VARIANTS[variant], {}, {})
    assert seen["collect"] + seen["play"] > 10


def composed(n_seats: int, rng: random.Random) -> dict:
    """Return component files at random, as the reference takes them."""
    triples = [(value, left, right) for value in range(4) for left in (0, 1) for right in (0, 1)]
    zeros = [triple for triple in triples if triple[0] == 0]
    chosen = {*rng.sample(zeros, 1), *rng.sample(triples, rng.randrange(2, 11))}
    faces = [reference.Face(*triple, rng.randrange(1, 4)) for triple in sorted(chosen, key=lambda _: rng.random())]
    while sum(face.copies for face in faces) * (n_seats + 2) > 120:
        faces = [face._replace(copies=max(1, face.copies - 1)) for face in faces]
        faces = faces[:-1] if faces[-1].value else [faces[-1], *faces[1:-1]]
    short = 2 * n_seats + 4 - sum(face.copies for face in faces) * (n_seats + 2)
    if short > 0:
        faces[0] = faces[0]._replace(copies=faces[0].copies + short)
    measures = [("cards_of_type", kind) for kind in range(1, 7)] + [("cards_of_value", value) for value in range(4)]
    measures += [("sum_of_tops", None), ("closed_stacks", None), ("longest_stack", None)]
    goals = [reference.Goal(f"g{i}", *rng.choice(measures)) for i in range(rng.randrange(6, 19))]
    goals += [reference.Goal("z", "cards_of_value", 0)] * (n_seats + 2)
    amounts = {"reveal_collect": (1, 6), "jump": (2, 3), "start_with": (1, 3), "gain": (1, 5), "claim_goal": (0, 4),
               "draw": (1, 6)}  # fmt: skip
    effects = ["collect_second", "take_other", "place_extra", *amounts]
    landscapes = []
    for i in range(rng.randrange(3, 13)):
        effect = rng.choice(effects)
        amount = rng.randint(*amounts[effect]) if effect in amounts else None
        landscapes.append(reference.Landscape(f"l{i}", "ABC"[i] if i < 3 else rng.choice("ABC"), effect, amount))
    return {"cards": faces, "goals": goals, "landscapes": landscapes}


def write(components: dict, folder) -> dict:
    """Write component files; return their paths by name."""
    paths = {}
    for name, entries in components.items():
        paths[name] = folder / f"{name}.csv"
        text = [",".join(entries[0]._fields)]
        text += [",".join("" if value is None else str(value) for value in entry) for entry in entries]
        paths[name].write_text("\n".join(text) + "\n")
    paths["powers"] = paths.pop("landscapes")
    return paths


@pytest.mark.parametrize("n_seats", SIZES)
def test_games_with_composed_files_are_played_alike(n_seats, tmp_path):
    """Other cards, goals and landscapes: effects in other rows, several of one effect, other amounts."""
    rng = random.Random(n_seats)
    seen = Counter()
    for i in range(10):
        components = composed(n_seats, rng)
        folder = tmp_path / str(i)
        folder.mkdir()
        said = {
            "landscapes": rng.choice(["random", "random", "starter"]),
            "display_refill": rng.choice(["to_four", "when_empty"]),
            "last_round": rng.choice(["true", "false"]),
            "zero_goal": rng.choice(["nobody", "scores"]),
            "start_acorns": rng.randrange(8),
            "hand_size": rng.randrange(1, 3),
            "hand_limit": rng.randrange(1, 12),
            "goal_cost": rng.randrange(5),
        }
        seen += play_both(n_seats, rng, said, components, write(components, folder))
    effects = [landscape.effect for landscape in reference.LANDSCAPES]
    assert sum(seen[effect] > 0 for effect in effects) >= 7, seen
    assert seen["deck"] > 5


def test_both_know_the_same_components():
    assert [(f"{'.*'[f.left_acorn]}{f.value}{'.*'[f.right_acorn]}", f.copies) for f in reference.CARDS] == list(
        zip(FACES, COPIES, strict=True)
    )
