"""The site plans with the memory of its machine, or of the container that it runs in."""

from puzzleclass.operations.machine import UNKNOWN_MB, memory_mb


def test_a_container_has_less_than_its_machine(tmp_path):
    limit = tmp_path / "memory.max"
    limit.write_text("max\n")
    whole = memory_mb((limit, tmp_path / "missing"))
    assert whole > 0
    limit.write_text(f"{256 << 20}\n")
    assert memory_mb((tmp_path / "missing", limit)) == min(256, whole)


def test_a_system_that_does_not_tell_its_memory_gets_a_usual_size(tmp_path, monkeypatch):
    def unknown(name: str) -> int:
        raise ValueError(f"unrecognized configuration name: {name}")

    monkeypatch.setattr("os.sysconf", unknown)
    assert memory_mb((tmp_path / "missing",)) == UNKNOWN_MB
    limit = tmp_path / "memory.max"
    limit.write_text(f"{256 << 20}\n")
    assert memory_mb((limit,)) == 256
