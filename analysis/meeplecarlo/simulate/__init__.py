"""Temporary alias: the package is now called meeplecarlo.simulation (mc.simulate is the function). To be deleted."""
import sys

from meeplecarlo.simulation import design, play, replay, run, search

for _m in (design, play, replay, run, search):
    sys.modules[f"{__name__}.{_m.__name__.rsplit('.', 1)[1]}"] = _m
