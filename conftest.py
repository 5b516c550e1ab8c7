"""Load the plugin of the contract tests, which an installed distribution registers itself."""

pytest_plugins = ["solvers.contract.plugin"]
