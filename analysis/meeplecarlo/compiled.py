"""The only module that decides numba options: what is compiled how, under which signature, and where it is cached.

Games and players are written as plain Python functions. Two kinds are told apart here:

* *helpers* (`@helper`) are compiled when a protocol function first calls them;
* *protocol functions* (the six of a game, a player's ``choose``, the game loop) stay plain Python in their
  module and are compiled by `Signatures.compile` with an explicit signature, so that they are first-class
  values: a new line-up needs no compiling, and a new process finds them in the disk cache.

numba's disk cache does not notice an edit in another file. The cache folder is therefore named by a hash of
every source file that compiled code can come from, so a stale result cannot be loaded.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic, overload
from numba.np import arrayobj

PACKAGE = Path(__file__).parent
CACHE_VARIABLE = "MEEPLECARLO_CACHE_DIR"
COMPILED_PARTS = ("compiled.py", "streams.py", "games", "simulation")  # where compiled code comes from
NOT_COMPILED = {"view.py", "report", "run.py", "plan.py", "engine.py", "replay.py"}  # what holds none there
KEPT_CACHES = 8  # folders of older sources kept; each is some megabytes

# Sizes every game shares.
MAX_SEATS = 5
MAX_TIES = 2  # tie-break values a game may have
MEMORY_SIZE = 16  # numbers a player may keep during one game

# numba calls first-class functions experimental on every use; it is known, and why its version range is pinned.
FIRST_CLASS = "First-class function type feature is experimental"
warnings.filterwarnings("ignore", message=FIRST_CLASS, category=NumbaExperimentalFeatureWarning)

OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": False}


@cache
def sources_hash(*parts: str) -> str:
    """Hash of the package's Python sources and shipped data and of the numba version (12 hex digits).

    Without arguments, of all of them; this is recorded in the provenance of every run: two runs with equal hashes
    came from equal code. With `parts`, only of the files in these that can hold compiled code.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE)
        wanted = not parts or (name.parts[0] in parts and not NOT_COMPILED & set(name.parts))
        if path.suffix in {".py", ".csv", ".txt"} and wanted:
            digest.update(name.as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def cache_folder() -> Path:
    """Folder for compiled code of exactly these sources; a temporary one if no other can be written."""
    folder = _cache_base() / sources_hash(*COMPILED_PARTS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".writable").touch()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="meeplecarlo-"))
    _drop_old_caches(folder.parent, keep=folder)
    return folder


def cache_is_shared() -> bool:
    """Whether other processes use the same cache folder, and compile at all."""
    return cache_folder().parent == _cache_base() and not numba.config.DISABLE_JIT


def _cache_base() -> Path:
    return Path(os.environ.get(CACHE_VARIABLE) or _user_cache()) / "compiled"


def _user_cache() -> Path:
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "meeplecarlo"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "meeplecarlo"


def _drop_old_caches(base: Path, keep: Path) -> None:
    """Delete the oldest caches of ours; another process may use or delete the same ones, and will compile again."""
    ages = []
    for marker in base.glob("*/.writable"):
        with suppress(OSError):
            ages.append((marker.stat().st_mtime, marker.parent))
    for _, old in sorted(ages)[:-KEPT_CACHES]:
        if old != keep:
            shutil.rmtree(old, ignore_errors=True)


def is_compiled(label: str) -> bool:
    """Whether `mark_compiled` was called for `label` under the present sources."""
    return (cache_folder() / f"{label}.compiled").exists()


def mark_compiled(label: str) -> None:
    """Remember that everything called `label` is in the disk cache, so that no waiting need be announced."""
    (cache_folder() / f"{label}.compiled").touch()


@contextmanager
def _own_cache():
    """Point numba at our cache folder while a function is decorated, and only then: the user's own functions
    keep the user's settings."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def helper(function: Callable) -> Callable:
    """Make `function` callable from compiled code; it is compiled with its first caller."""
    with _own_cache():
        return numba.njit(cache=True, **OPTIONS)(function)


def inlined(function: Callable) -> Callable:
    """Like `helper`, and pasted into each caller: for small functions in inner loops that take arrays.

    Handing an array to a function that is not inlined costs reference counting on every call.
    """
    with _own_cache():
        return numba.njit(cache=True, inline="always", **OPTIONS)(function)


def compile_with(function: Callable, signature, cacheable: bool = True) -> Callable:
    """Compile `function` now (or load it from the disk cache) under an explicit numba signature."""
    with _own_cache():
        return numba.njit(signature, cache=cacheable, **OPTIONS)(function)


def record_type(dtype: np.dtype):
    """Return numba's type for one record of a structured dtype."""
    return numba.from_dtype(dtype)


def array_of(element, ndim: int = 1):
    """Return the type of a C-contiguous array of `element`, a numba type or a structured dtype."""
    if isinstance(element, np.dtype):
        element = numba.from_dtype(element)
    return types.Array(element, ndim, "C", aligned=True)


INT = types.int64
BOOL = types.boolean
MOVES = array_of(types.int32)
RNG = array_of(types.uint64)
WEIGHTS = array_of(types.float64)
MEMORY = array_of(types.int64)
TIES = array_of(types.int32, 2)


class Signatures:
    """The numba types of one game's protocol functions.

    Parameters
    ----------
    rules, state, line : numpy.dtype
        Structured dtypes of the rule options, of a position and of a scored item.
    """

    def __init__(self, rules: np.dtype, state: np.dtype, line: np.dtype):
        r, s, line_array = record_type(rules), record_type(state), array_of(line)
        self.rules, self.state, self.line = r, s, line
        self.functions = {
            "deal": types.void(r, s, RNG),
            "legal": INT(r, s, MOVES),
            "apply": BOOL(r, s, INT),
            "observe": types.void(r, s, INT, s),
            "redeal": types.void(r, s, RNG),
            "tally": INT(r, s, line_array, TIES),
        }
        self.choose = INT(r, s, MOVES, INT, WEIGHTS, MEMORY, RNG)

    def function_type(self, name: str):
        """First-class type of a protocol function (``deal``, ..., or ``choose``)."""
        return types.FunctionType(self.choose if name == "choose" else self.functions[name])

    def compile(self, name: str, function: Callable, cacheable: bool = True) -> Callable:
        """Compile the protocol function called `name`."""
        return compile_with(function, self.choose if name == "choose" else self.functions[name], cacheable)


@intrinsic
def borrowed_row(typing_context, matrix, index):
    """Return ``matrix[index]`` as an array that does not own its memory.

    A plain row is reference-counted by everyone it is handed to; in the game loop that costs a fifth of the time.
    The caller keeps the matrix alive while the row is used.
    """
    row = types.Array(matrix.dtype, matrix.ndim - 1, "C", aligned=matrix.aligned)

    def codegen(context, builder, signature, args):
        whole = arrayobj.make_array(matrix)(context, builder, args[0])
        part = arrayobj.make_array(row)(context, builder)
        shape = cgutils.unpack_tuple(builder, whole.shape, matrix.ndim)
        strides = cgutils.unpack_tuple(builder, whole.strides, matrix.ndim)
        offset = builder.mul(strides[0], context.cast(builder, args[1], index, types.intp))
        arrayobj.populate_array(
            part,
            data=cgutils.pointer_add(builder, whole.data, offset, return_type=whole.data.type),
            shape=cgutils.pack_array(builder, shape[1:]),
            strides=cgutils.pack_array(builder, strides[1:]),
            itemsize=whole.itemsize,
            meminfo=None,
        )
        return part._getvalue()

    return row(matrix, index), codegen


if numba.config.DISABLE_JIT:

    def borrowed_row(matrix, index):
        """Return ``matrix[index]``."""
        return matrix[index]


def records(shape: int | tuple[int, ...], dtype: np.dtype) -> np.recarray:
    """Return zeroed records whose fields are attributes, which compiled and plain Python code can both work on."""
    return np.zeros(shape, dtype).view(np.recarray)


def copy_record(target, source):
    """Copy every byte of one record over another of the same dtype (compiled code and pure Python)."""
    for name in target.dtype.names:
        target[name] = source[name]


@intrinsic
def _copy_bytes(typing_context, target, source):
    """Copy a record by wide loads and stores: for some hundred bytes twice as fast as a call of memcpy."""
    size, wide = target.size, 32

    def codegen(context, builder, signature, args):
        for step in (wide, 8, 1):
            unit = ir.VectorType(ir.IntType(8), step) if step > 1 else ir.IntType(8)
            start = 0 if step == wide else size - size % (wide if step == 8 else 8)
            for offset in range(start, size - step + 1, step):
                places = [
                    builder.bitcast(builder.gep(arg, [ir.IntType(64)(offset)]), unit.as_pointer())
                    for arg in (builder.bitcast(a, ir.IntType(8).as_pointer()) for a in args)
                ]
                builder.store(builder.load(places[1], align=1), places[0], align=1)
        return context.get_dummy_value()

    return types.void(target, source), codegen


@overload(copy_record)
def _copy_record_compiled(target, source):
    if isinstance(target, types.Record) and target == source:
        return lambda target, source: _copy_bytes(target, source)
    return None
