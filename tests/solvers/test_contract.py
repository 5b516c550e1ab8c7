"""The contract of kinds: answers that agree, files and pictures."""

from solvers.contract.test_agreement import *  # noqa: F403
from solvers.contract.test_files import *  # noqa: F403
from solvers.contract.test_pictures import *  # noqa: F403
from tests.solvers.contract_kinds import KINDS as KINDS
