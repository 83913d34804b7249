"""Numbers as text: as many digits as the Monte Carlo error allows, and a dash for what is not known."""

from __future__ import annotations

import math

UNKNOWN = "–"
MINUS = "−"
FIGURES = 4  # more than four figures are noise to a reader, however small the error


def decimals_for(se: float | None, most: int = 4) -> int:
    """Return the decimals worth showing of an estimate with standard error `se`.

    Twice the error (about half the width of a 95 % interval) is to show at least one digit, and two where it begins
    with a 1: so a rounded interval is never off by more than a tenth or so of its width.

    >>> decimals_for(0.35), decimals_for(0.07), decimals_for(12)
    (1, 2, 0)
    """
    if se is None or not math.isfinite(se) or se <= 0:
        return 1
    size = math.floor(math.log10(2 * se))
    leading_one = 2 * se / 10**size < 2
    return min(max(0, -size + leading_one), most)


def format_number(value: float | None, decimals: int = 0, sign: bool = False) -> str:
    """Return a number with thousands separated, a dash for nan, infinities and None.

    >>> format_number(12345.678, 1), format_number(float("nan")), format_number(-0.04, 1)
    ('12,345.7', '–', '0.0')
    """
    if value is None or not math.isfinite(value):
        return UNKNOWN
    value = round(float(value), decimals) + 0.0  # + 0.0 makes a rounded minus zero plain
    text = f"{abs(value):,.{decimals}f}"
    return (MINUS if value < 0 else "+" if sign and value > 0 else "") + text


def format_estimate(
    estimate: float | None,
    lo: float | None = None,
    hi: float | None = None,
    se: float | None = None,
    *,
    scale: float = 1,
    unit: str = "",
    sign: bool = False,
) -> str:
    """Return an estimate and its interval with the digits its error allows.

    Parameters
    ----------
    se : float, optional
        Standard error; taken from the interval when left out.
    scale : float
        Factor before printing: 100 for per cent.
    unit : str
        Written after the estimate, with its space: ``" %"``.
    sign : bool
        Whether a plus is written too: for differences.

    >>> format_estimate(0.2534, 0.2466, 0.2603, 0.0035, scale=100, unit=" %")
    '25.3 % (24.7 to 26.0)'
    >>> format_estimate(0.5, float("nan"), float("nan"))
    '0.5'
    """
    lo, hi = (None if x is None or not math.isfinite(x) else x for x in (lo, hi))
    if (se is None or not math.isfinite(se) or se <= 0) and lo is not None and hi is not None:
        se = (hi - lo) / 4
    decimals = decimals_for(None if se is None else se * scale)
    largest = max((abs(x * scale) for x in (estimate, lo, hi) if x is not None and math.isfinite(x)), default=0)
    if largest >= 1:
        decimals = min(decimals, max(0, FIGURES - 1 - math.floor(math.log10(largest))))
    text = format_number(None if estimate is None else estimate * scale, decimals, sign)
    if text == UNKNOWN:
        return text
    text += unit
    if lo is None or hi is None:
        return text
    ends = (format_number(x * scale, decimals, sign) for x in (lo, hi))
    return f"{text} ({' to '.join(ends)})"


def number_of(row: dict, unit: str = "", sign: bool = False) -> str:
    """Return the estimate and interval in a row of a table as text."""
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], unit=unit, sign=sign)


def percent_of(row: dict) -> str:
    """Return the share and interval in a row of a table as text, in per cent.

    Of what never happened, or always did, the other end of the interval is what is known: it keeps two figures.

    >>> percent_of({"estimate": 0.0, "lo": 0.0, "hi": 0.00019, "se": 0.0})
    '0 % (0 to 0.019)'
    """
    estimate, lo, hi = row["estimate"], row["lo"], row["hi"]
    if estimate in (0, 1) and lo is not None and hi is not None and 0 < hi - lo < 1:
        decimals = max(0, 1 - math.floor(math.log10(100 * (hi - lo))))
        ends = ("0", format_number(100 * hi, decimals)) if estimate == 0 else (format_number(100 * lo, decimals), "100")
        return f"{100 * estimate:.0f} % ({' to '.join(ends)})"
    return format_estimate(row["estimate"], row["lo"], row["hi"], row["se"], scale=100, unit=" %")


def format_p(p: float | None) -> str:
    """Return a p value as text.

    >>> format_p(0.0312), format_p(1e-9), format_p(None)
    ('0.031', '< 0.001', '–')
    """
    if p is None or not math.isfinite(p):
        return UNKNOWN
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def join_words(words: list[str]) -> str:
    """Return words as an enumeration.

    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def plural(number: int, noun: str) -> str:
    """Return a count with its noun.

    >>> plural(1, "game"), plural(2500, "game")
    ('1 game', '2,500 games')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
