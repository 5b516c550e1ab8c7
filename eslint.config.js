/* How the scripts in static/ are linted; Prettier formats them, and TypeScript checks their types.

   ESLint and Prettier are plain JavaScript, so one package-lock.json serves every platform. Biome does
   the work of both, but needs a binary for each platform, and the lock of one lacks the others'. */

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["static/vendor/", "staticfiles/", "docs/_site/", "var/", ".venv/", "node_modules/"] },
  js.configs.recommended,
  {
    files: ["static/*.js", "solvers/*/static/*.js"],
    languageOptions: { globals: { ...globals.browser, Chart: "readonly", Sortable: "readonly" } },
  },
  {
    files: ["static/worker.js"],
    languageOptions: { sourceType: "script", globals: globals.serviceworker },
  },
  { files: ["tests/scripts/*.{js,mjs}"], languageOptions: { globals: globals.node } },
  { rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", "object-shorthand": "error" } },
];
