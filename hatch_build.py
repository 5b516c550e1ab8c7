"""Complete the metadata of the distribution: what the site needs is listed in requirements.in."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class RequirementsHook(MetadataHookInterface):
    """Adds the lines of requirements.in and the solvers of the same release."""

    def update(self, metadata: dict[str, Any]) -> None:
        lines = (Path(self.root) / "requirements.in").read_text("utf-8").splitlines()
        needed = [line for line in lines if line and not line.startswith("#")]
        metadata["dependencies"] = [*needed, f"puzzleclass-solvers=={metadata['version']}"]
