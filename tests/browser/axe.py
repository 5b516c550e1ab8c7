"""axe-core, and how it is asked about a page."""

from tests.integration.processes import ROOT

AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

ALL_RULES = """
{ preload: false, rules: Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, {
    enabled: !["color-contrast-enhanced", "css-orientation-lock"].includes(ruleId) }])) }
"""
"""The options of `axe.run` for all of its rules, also those that are experimental or deprecated.

Two are left out: the contrast of 7 to 1, which the highest level of WCAG asks for, and a rule for
which axe writes style sheets into the page, which the pages' Content Security Policy forbids.
"""

VIOLATIONS = """
for (const moving of document.getAnimations())
  if (moving.effect.getComputedTiming().iterations !== Infinity) moving.finish();
AXE;
const { violations } = await axe.run({ resultTypes: ["violations"], ...ALL_RULES });
return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
""".replace("AXE", AXE).replace("ALL_RULES", ALL_RULES)
"""The body of an async function that returns the violations on the page that a browser shows."""
