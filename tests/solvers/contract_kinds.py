"""The kinds that keep the contract: this project's, templates, installed ones, and ready tables."""

from solvers.registry import TEMPLATES, kinds, load, ready_kinds

KINDS = [*kinds().values(), *map(load, TEMPLATES), *ready_kinds().values()]
