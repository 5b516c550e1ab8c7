"""The kinds as a newcomer meets them: each with its rule and its best picture."""

from solvers.registry import AnyKind, examples


def showpiece(kind: AnyKind) -> dict[str, object]:
    """Return the kind with a picture of the example that shows it best, in the middle of play."""
    instances = examples(kind)
    shown = next((example for example in instances if "shown" in example), instances[0])
    position = kind.play_line(kind.read(shown["position"]), shown.get("shown", ""))
    return {"kind": kind, "picture": kind.draw(position)}
