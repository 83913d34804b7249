"""Estimates with honest intervals: numpy in, frozen dataclasses out. The deal is the unit of everything."""
