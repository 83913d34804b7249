"""The pieces a report page is made of, as plain values: what is on the page and not how it looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType

import polars as pl
from matplotlib.figure import Figure as Picture

from meeplecarlo.registry import Game


@dataclass(frozen=True)
class Text:
    """A paragraph; `warning` makes it stand out."""

    words: str
    warning: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart on the page.

    Attributes
    ----------
    name : str
        Base of its file names.
    picture : matplotlib Figure
    alt : str
        What the chart shows, in words and numbers, for those who cannot see it.
    caption : str
        How to read it.
    table : str
        Name of the table with its numbers, or empty.
    """

    name: str
    picture: Picture
    alt: str
    caption: str
    table: str = ""


@dataclass(frozen=True)
class Table:
    """A table on the page, and the frame behind it, which is written as CSV.

    Attributes
    ----------
    name : str
        Base of its file name.
    title : str
        Says what n counts.
    head : list of str
    rows : list of list of str
        Empty: only the CSV is written.
    data : DataFrame
    note : str
    """

    name: str
    title: str
    head: list[str]
    rows: list[list[str]]
    data: pl.DataFrame
    note: str = ""


@dataclass(frozen=True)
class Section:
    """A part of the page with a heading."""

    key: str
    title: str
    blocks: list[Text | Chart | Table] = field(default_factory=list)


@dataclass(frozen=True)
class Chapter:
    """What one module has to say about a run.

    Attributes
    ----------
    sections : list of Section
    findings : list of str
        Sentences for the summary on top of the page.
    limits : list of str
        Sentences on what the data cannot say.
    """

    sections: list[Section]
    findings: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)


def report_module(game: Game) -> ModuleType | None:
    """Return the game's own ``report`` module, or None if it has none.

    It has ``chapter(sample) -> Chapter`` and may have ``comparison(samples, names, paired) -> Chapter`` and
    ``CATEGORY_COLOURS``.
    """
    name = f"{game.package}.report"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
