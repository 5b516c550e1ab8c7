"""The kinds that keep the contract: this project's, templates, installed ones, and ready tables."""

from solvers.registry import TEMPLATES, kinds, load, ready_kinds

KINDS = {
    **kinds(),
    **{module.removeprefix("solvers._"): load(module) for module in TEMPLATES},
    **ready_kinds(),
}
"""The name of a kind in the IDs of tests -> the kind."""
