"""The contract tests, for the kinds and tables of this project, templates, and installed kinds."""

from solvers.contract.test_agreement import *  # noqa: F403
from solvers.contract.test_files import *  # noqa: F403
from solvers.contract.test_pictures import *  # noqa: F403
from solvers.contract.test_questions import *  # noqa: F403
from solvers.contract.test_rules import *  # noqa: F403
from solvers.contract.test_texts import *  # noqa: F403
from solvers.registry import TEMPLATES, kinds, load, ready_kinds

KINDS = [*kinds().values(), *map(load, TEMPLATES), *ready_kinds().values()]
