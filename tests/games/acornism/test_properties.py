"""What holds in every position of every game, however it was played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeplecarlo.games.acornism.rules import PASS_MOVE
from meeplecarlo.games.acornism.state import NONE, OVER, STARVED
from tests.games.acornism.by_hand import (
    BOX,
    PASS,
    SIZES,
    Line,
    Placed,
    Square,
    Tile,
    all_options,
    animals,
    around,
    box_of,
    completed_by,
    dealt_for,
    done,
    extent,
    field,
    hand,
    hands,
    is_animal,
    is_complete,
    is_fed,
    laid_tiles,
    lines,
    neighbours,
    new_table,
    options,
    pile,
    said,
    where,
    with_tile,
)
from tests.table import Table

seeds = st.integers(0, 2**32)
STYLES: dict[str, Callable[[Placed], int]] = {
    "any": lambda step: 0,
    "right": lambda step: max(step.animal[0], step.acorn[0]),
    "left": lambda step: -min(step.animal[0], step.acorn[0]),
    "down": lambda step: max(step.animal[1], step.acorn[1]),
    "up": lambda step: -min(step.animal[1], step.acorn[1]),
    "close": lambda step: -sum(map(abs, (*step.animal, *step.acorn))),
}
said_at_table = st.fixed_dictionaries(
    {
        "edge_scoring": st.sampled_from(["false", "true"]),
        "underfed": st.sampled_from(["allowed", "forbidden"]),
        "field_size": st.integers(4, 12) | st.just(8),
        "hand_size": st.integers(1, 8),
        "pieces": st.sampled_from([0, 0, 1, 2, 5]),
        "magic": st.sampled_from(["wild", "wild", "none"]),
    }
)


def choose(table: Table, rng: random.Random, style: str) -> int:
    """Return a move at random, mostly of those that go farthest in a direction."""
    found = options(table)
    if found == {PASS: PASS_MOVE} or rng.random() < 0.2:
        return rng.choice(list(found.values()))
    best = max(map(STYLES[style], found))
    return rng.choice([code for step, code in found.items() if STYLES[style](step) == best])


def some_box(seed: int, n_tiles: int) -> list[Tile]:
    """Return the shipped box, or at random one of many hungry, of many modest or of any animals, some wild acorns."""
    rng = random.Random(seed)
    kind = rng.choice(["shipped", "shipped", "hungry", "modest", "any"])
    if kind == "shipped" and n_tiles <= len(BOX):
        return BOX
    low, high, most = {"hungry": (12, 20, 9), "modest": (1, 9, 3)}.get(kind, (1, 20, 9))
    wild = rng.choice([0, 0.03, 0.3])
    return [
        Tile(rng.randint(low, high), "?" if rng.random() < wild else str(rng.randint(0, most))) for _ in range(n_tiles)
    ]


def fresh(n_seats: int, seed: int, options: dict) -> Table:
    """Return a table just dealt, with some box that is large enough."""
    least = max(3, n_seats * options["hand_size"] + 1)
    n_tiles = min(100, least + random.Random(seed).choice([0, 5, 20, 60]))
    return new_table(n_seats, seed, box=some_box(seed, n_tiles), **options)


def played(n_seats: int, seed: int, plies: int, style: str, options: dict) -> Table:
    """Return a table after so many moves, or at the end of the game if it has fewer."""
    table, rng = fresh(n_seats, seed, options), random.Random(seed)
    while not table.over and plies > 0:
        table.play(choose(table, rng, style))
        plies -= 1
    return table


sizes, styles = st.sampled_from(SIZES), st.sampled_from(list(STYLES))
positions = st.builds(played, sizes, seeds, st.integers(0, 40) | st.integers(0, 100), styles, said_at_table)


def spoilt(table: Table) -> bool:
    """Return whether the first tile has more acorns than its animal wants."""
    laid = field(table)
    return around(laid, (0, 0))[0] > laid[0, 0]


# --- what lies on the field ----------------------------------------------------------------------------------------
@settings(max_examples=100)
@given(positions)
def test_the_field_is_a_checkerboard_within_its_box(table):
    laid, size = field(table), int(table.rules.field_size)
    columns, rows = extent(laid)
    state = table.state
    assert (columns, rows) == (range(state.x_low, state.x_high + 1), range(state.y_low, state.y_high + 1))
    assert max(len(columns), len(rows)) <= size
    assert state.placed == len(laid_tiles(table)) == len(laid) / 2 <= size * size // 2
    assert (state.placed == 1) or all(any(beside in laid for beside in outside(step)) for step in laid_tiles(table))
    assert Counter(map(is_animal, laid)) == {True: state.placed, False: state.placed}


def outside(step: Placed) -> set[Square]:
    """Return the squares around a tile."""
    return {*neighbours(step.animal), *neighbours(step.acorn)} - {step.animal, step.acorn}


@settings(max_examples=100)
@given(positions)
def test_no_plain_sum_ever_exceeds_and_what_animals_lack_is_right(table):
    laid = field(table)
    for x, y in animals(laid):
        lacks = laid[x, y] - around(laid, (x, y))[0]
        assert lacks >= 0 or (spoilt(table) and table.over)
        assert table.state.lacks[(16 * (y % 16) + x % 16) // 2] == lacks


@settings(max_examples=100)
@given(positions)
def test_tiles_are_conserved_each_in_one_place(table):
    assert where(table) == dict.fromkeys(range(int(table.rules.n_tiles)), 1)
    size, state = int(table.rules.hand_size), table.state
    for seat, row in enumerate(state.hand.tolist()):
        held = [number for number in row if number != NONE]
        assert row == sorted(held) + [NONE] * (8 - len(held))
        assert len(held) <= (size if seat < table.n_seats else 0)
        if seat < table.n_seats and pile(table):
            assert len(held) == size
    assert sorted(state.pile[: state.drawn].tolist() + pile(table)) == list(range(int(table.rules.n_tiles)))


# --- moves ---------------------------------------------------------------------------------------------------------
@settings(max_examples=100)
@given(positions)
def test_options_are_those_found_by_trying_everything(table):
    laid, rules, state = field(table), said(table), table.state
    can = [all_options(laid, hand(table, seat), rules) for seat in range(table.n_seats)]
    assert table.over == (not any(can))
    if table.over:
        assert table.legal() == []
    else:
        assert set(options(table)) == (can[state.seat] or {PASS})
        assert (table.legal() == [PASS_MOVE]) == (not can[state.seat])


@settings(max_examples=60)
@given(positions)
def test_a_move_lays_that_tile_there_replaces_it_and_changes_nothing_else(table):
    for step, code in random.Random(1).sample(sorted(options(table).items()), min(8, len(options(table)))):
        twin, seat = table.copy().play(code), int(table.state.seat)
        if step is PASS:
            assert (field(twin), hands(twin), pile(twin)) == (field(table), hands(table), pile(table))
            continue
        assert field(twin) == with_tile(field(table), step)
        held, kept = hands(table), hands(twin)
        drawn = pile(table)[:1]
        (number,) = set(where_is(twin, step))
        assert sorted(kept.pop(seat)) == sorted({*held.pop(seat), *drawn} - {number})
        assert kept == held
        assert pile(twin) == pile(table)[1:]


def where_is(table: Table, step: Placed) -> list[int]:
    """Return the numbers of the tiles on the two squares of a placed tile."""
    state = table.state
    return [int(state.tile[16 * (y % 16) + x % 16]) for x, y in (step.animal, step.acorn)]


@settings(max_examples=30)
@given(sizes, seeds, styles, said_at_table)
def test_games_told_once_more(n_seats, seed, style, options_said):
    """Whole games: whose turn it is, what every tile completes and scores, and that they end when nothing fits."""
    table, rng = fresh(n_seats, seed, options_said), random.Random(seed)
    rules, laid, left = said(table), field(table), [options_said["pieces"] or 99] * n_seats
    fate, scored, turn = {}, [], 0
    while not table.over:
        seat = turn % n_seats
        assert (table.state.seat, table.state.turn, table.state.round_number) == (seat, turn, 1 + turn // n_seats)
        found, code = {code: step for step, code in options(table).items()}, choose(table, rng, style)
        turn += 1
        table.play(code)
        if found[code] is PASS:
            continue
        new = completed_by(laid, found[code], rules)
        laid = with_tile(laid, found[code])
        fate |= new
        paid = sorted((square for square in new if new[square]), key=lambda square: -laid[square])[: left[seat]]
        left[seat] -= len(paid)
        for square in new:
            if square in paid:
                plain, magic = around(laid, square)
                scored.append(Line(seat, laid[square], square, plain, magic if rules.wild else 0, turn))
        assert field(table) == laid
    assert table.state.seat == OVER
    assert lines(table) == scored
    assert {square: result != STARVED for square, result in done(table).items()} == fate
    assert list(done(table)) == list(fate)
    assert fate == {square: is_fed(laid, square, rules) for square in animals(laid) if is_complete(laid, square, rules)}
    if rules.forbidden and not spoilt(table):
        assert all(fate.values())
    assert not any(all_options(laid, hand(table, seat), rules) for seat in range(n_seats))
    assert len(box_of(table)) == len(laid) // 2 + sum(map(len, hands(table))) + len(pile(table))


def test_random_positions_are_worth_looking_at():
    """Both ends of most things occur among them: passes, settled edges, magic, starved and scored animals."""
    seen = Counter()
    rng = random.Random(5)
    for seed in range(60):
        size = rng.choice([4, 5, 8, 8, 12])
        more = {"edge_scoring": rng.choice(["false", "true"]), "field_size": size, "hand_size": rng.choice([1, 4, 8])}
        table = played(rng.choice(SIZES), seed, 100, rng.choice(list(STYLES)), {**more, "pieces": 0})
        columns, rows = extent(field(table))
        seen["passes"] += table.state.turn + 1 > table.state.placed
        seen["columns settled"] += len(columns) == size
        seen["rows settled"] += len(rows) == size
        seen["columns open"] += len(columns) < size
        seen["pile empty"] += not pile(table)
        seen["pile not empty"] += bool(pile(table))
        seen["magic"] += any(line.magic for line in lines(table))
        seen["starved"] += STARVED in done(table).values()
        seen["several"] += len({line.turn for line in lines(table)}) < len(lines(table))
        seen["to the left"] += columns.start <= -4
        seen["upwards"] += rows.start <= -4
        seen["downwards"] += rows.stop > 4
    assert len(seen) == 12
    assert min(seen.values()) >= 2, seen


# --- symmetry ------------------------------------------------------------------------------------------------------
def turned(square: Square, image: int) -> Square:
    """Return a square turned by quarters round (0, 0), and from 4 on mirrored, too."""
    x, y = square
    for _ in range(image % 4):
        x, y = -y, x
    return (-x, y) if image >= 4 else (x, y)


def moved(step: Placed, move: Callable[[Square], Square], wild: bool) -> Placed:
    """Return a placed tile elsewhere; where the Magic Acorn is worthless it is a 0."""
    what = step.tile if wild else step.tile._replace(acorns=step.tile.acorns.replace("?", "0"))
    return step if step is PASS else Placed(what, move(step.animal), move(step.acorn))


def rebuilt(table: Table, image: int, rng: random.Random, options_said: dict):
    """Return the same position turned and shifted, built in another order, and the function that moves squares.

    One of its tiles has to be the first one, which lies with its acorn to the right: any may be chosen, and so the
    position is shifted to wherever that brings it. None if no tile lies so. The game must be without passes so far.
    """
    steps = [moved(step, lambda square: turned(square, image), True) for step in laid_tiles(table)]
    firsts = [step for step in steps if step.acorn == (step.animal[0] + 1, step.animal[1])]
    if not firsts:
        return None
    first = rng.choice(firsts)
    by_x, by_y = first.animal

    def move(square: Square) -> Square:
        x, y = turned(square, image)
        return x - by_x, y - by_y

    left = [moved(step, move, True) for step in laid_tiles(table)]
    order = [Placed(first.tile, (0, 0), (1, 0))]
    left.remove(order[0])
    while left:
        reached = {square for step in order for square in outside(step)}
        step = rng.choice([step for step in left if {step.animal, step.acorn} & reached])
        left.remove(step)
        order.append(step)
    held = [hand(table, seat) for seat in range(table.n_seats)]
    box = box_of(table)
    twin = dealt_for(order[0].tile, order[1:], held, [box[number] for number in pile(table)], **options_said)
    wild = said(table).wild
    for step in order[1:]:
        found = {moved(other, lambda square: square, wild): code for other, code in options(twin).items()}
        twin.play(found[moved(step, lambda square: square, wild)])
    return twin, move


def gains(table: Table, code: int) -> tuple[set, set]:
    """Return what a move scores, and which animals it completes and how they fare."""
    twin = table.copy().play(code)
    return set(lines(twin)) - set(lines(table)), set(done(twin).items()) - set(done(table).items())


def check_image(table: Table, image: int, rng: random.Random, options_said: dict) -> bool:
    """Check that a position and an image of it have the same options, and that these have the same results."""
    made = rebuilt(table, image, rng, options_said)
    if made is None:
        return False
    twin, move = made
    wild = said(table).wild
    assert set(field(twin)) == set(map(move, field(table)))
    assert (twin.state.seat, twin.state.phase) == (table.state.seat, table.state.phase)
    assert set(done(twin)) == set(map(move, done(table)))
    own = {moved(step, move, wild): code for step, code in options(table).items()}
    other = {moved(step, lambda square: square, wild): code for step, code in options(twin).items()}
    assert own.keys() == other.keys()
    for step in rng.sample(sorted(own), min(6, len(own))):
        (scored, fates), (scored_there, fates_there) = gains(table, own[step]), gains(twin, other[step])
        assert {line._replace(square=move(line.square)) for line in scored} == scored_there
        assert {(move(square), result) for square, result in fates} == fates_there
    return True


def without_pieces(options_said: dict) -> dict:
    """Return options in which it does not matter which of several animals is first."""
    return options_said | {"pieces": 0}


@settings(max_examples=16)
@given(sizes, seeds, st.integers(1, 40), styles, said_at_table.map(without_pieces))
def test_turned_mirrored_and_shifted_positions_have_the_same_options_and_scores(
    n_seats, seed, plies, style, options_said
):
    table, rng = fresh(n_seats, seed, options_said), random.Random(seed)
    while not table.over and plies > 0 and table.legal() != [PASS_MOVE]:
        table.play(choose(table, rng, style))
        plies -= 1
    if spoilt(table):
        return
    images = [check_image(table, image, rng, options_said) for image in range(8)]
    assert images[0]


@pytest.mark.parametrize("edge_scoring", ["false", "true"])
def test_all_eight_images_of_long_games(edge_scoring):
    """Positions of 10 to 30 tiles in the printed field, most of which have tiles lying in all four ways."""
    rng, found = random.Random(8), Counter()
    options_said = {"edge_scoring": edge_scoring, "hand_size": 4, "field_size": 8}
    for seed in range(4):
        table = new_table(2, seed, **options_said)
        for _ in range(rng.randrange(9, 24)):
            if table.legal() not in ([], [PASS_MOVE]):
                table.play(rng.choice(table.legal()))
        for image in range(8):
            found[image] += check_image(table, image, rng, options_said)
    assert min(found[image] for image in range(8)) >= 3


def test_a_position_shifted_to_every_place_has_the_same_options():
    """Every tile that lies so is made the first one: the field grows from there."""
    rng = random.Random(9)
    options_said = {"edge_scoring": "true", "hand_size": 4, "field_size": 7}
    table = new_table(2, 5, **options_said).play_random(5, 13)
    assert table.legal() != [PASS_MOVE]
    origins = set()
    for _ in range(25):
        twin, move = rebuilt(table, 0, rng, options_said)
        origins.add(move((0, 0)))
        assert set(options(twin)) == {moved(step, move, True) for step in options(table)}
    assert len(origins) >= 3
