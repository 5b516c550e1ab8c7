"""The contract of kinds: rules and texts. It takes minutes, so a worker of its own runs it."""

from solvers.contract.test_rules import *  # noqa: F403
from solvers.contract.test_texts import *  # noqa: F403
from tests.solvers.contract_kinds import KINDS as KINDS
