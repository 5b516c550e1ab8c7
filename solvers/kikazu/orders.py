"""The boards of non-attacking pieces that are made for practice, from easy to hard."""

from itertools import product

from solvers.registry import Order

STARTS = (
    "3/3/3 RGP", "3/3/3/3 2G2S2NP", "4/4/4 RBGP", "4/4/4/4 2R2B", "4/4/4/4 RBKGSN",
    "4/4/4/4 RBKGSNLP", "4/4/4/4 RBG2N4P", "5/5/5/5/5 RBKGSNLP", "5/5/5/5/5 8K",
    "5/5/5/5/5 2R2B2N5P", "5/5/5/5/5 RBKG2SN2L5P", "5/5/5/5/5/5 K2R2BGS3N2L2P",
    "6/6/6/6/6/6 2RBKGS2N2L6P", "6/6/6/6/6/6 R2BK2GS2N3L7P",
    "7/7/7/7/7/7/7 2R2BK3G3S2N3L8P", "8/8/8/8/8/8/8/8 2R2B2K3G4S2N4L11P",
    "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P",
)  # fmt: skip

ORDERS = tuple(
    Order(start, {"style": style, "band": band, "many": 4})
    for start, style, band in product(
        STARTS, ("clues", "silhouette"), ("any", "easy", "medium", "hard")
    )
)
"""Orders for puzzles with one solution. Either some pieces are given, or the squares of all of
them."""
