"""The memory of an installation's processes during a lesson."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.integration.processes import WEB, Site

ROLES = {
    WEB: "web",
    "puzzleclass.launcher.workers": "workers",
    "[cel": "workers",
    "valkey": "Redis",
}
"""A word of the command line -> what the process is called here."""


def megabytes(site: Site) -> dict[str, float]:
    """Return the proportional set size of all processes of each role, the launcher's included.

    Memory that processes share counts for each with its share of it, so the sum is what the machine
    needs.
    """
    commands = {site.process.pid: "launcher", **site.family()}
    sizes: Counter[str] = Counter()
    for pid, command in commands.items():
        role = next((name for word, name in ROLES.items() if word in command), "launcher")
        sizes[role] += _proportional_kb(pid) / 1000
    return dict(sizes)


async def sampled(site: Site, pause: float, is_over: Callable[[], bool]) -> list[dict[str, float]]:
    """Return the sizes at the beginning, and after every `pause` seconds until the lesson is
    over."""
    samples = [megabytes(site)]
    while not is_over():
        await asyncio.sleep(pause)
        samples.append(megabytes(site))
    return samples


def growth(samples: list[dict[str, float]]) -> str:
    """Return a line with the sizes of each role: at a quarter, the half, and the end."""
    at = [samples[len(samples) * quarter // 4 - 1] for quarter in (1, 2, 4)]
    roles = (
        f"{role} {', '.join(f'{each.get(role, 0):.0f}' for each in at)}" for role in samples[0]
    )
    total = ", ".join(f"{sum(each.values()):.0f}" for each in at)
    return f"MB at a quarter, the half and the end: {'; '.join(roles)}; together {total}"


def _proportional_kb(pid: int) -> int:
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):  # It has just ended.
        return 0
    return next((int(row.split()[1]) for row in rows if row.startswith("Pss:")), 0)
