"""axe-core, and how it is asked about a page."""

from tests.integration.processes import ROOT

AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

# A picture has one name, and screen readers skip its parts. The signs on stones and pieces are such
# parts; the labels of the spots name them.
LEAVE_OUT_DRAWINGS = """
for (const drawn of document.querySelectorAll("svg[role=img] > :not(title), .spot text")) {
  drawn.remove();
}
"""

VIOLATIONS = """
for (const moving of document.getAnimations())
  if (moving.effect.getComputedTiming().iterations !== Infinity) moving.finish();
LEAVE_OUT;
AXE;
const { violations } = await axe.run({ resultTypes: ["violations"] });
return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
""".replace("LEAVE_OUT", LEAVE_OUT_DRAWINGS).replace("AXE", AXE)
"""The body of an async function that returns the violations on the page that a browser shows."""
