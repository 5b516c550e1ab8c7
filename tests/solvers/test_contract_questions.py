"""The contract of kinds: questions. It takes minutes, so a worker of its own runs it."""

from solvers.contract.test_questions import *  # noqa: F403
from tests.solvers.contract_kinds import KINDS as KINDS
