/* Players (`data-player`), in which arrow keys and automatic play press the page's own links; and
   buttons that copy a field's text (`data-copy`). */

/**
 * @param {Element | null} player
 * @param {string} name
 */
function turn(player, name) {
  player?.querySelector(`[data-turn="${name}"]:not([aria-disabled="true"])`)?.click();
}

/** @type {Record<string, string>} */
const TURNS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const player = document.querySelector("[data-player]");
  const busy = event.target?.closest?.("input, select, textarea, .spot[data-move]");
  if (!player || busy || event.altKey || event.ctrlKey || event.metaKey) return;
  if (TURNS[event.key]) {
    turn(player, TURNS[event.key]);
    event.preventDefault();
  }
});

/** @type {number | undefined} */
let playing;

/** @param {Element} player */
function play(player) {
  const button = /** @type {HTMLButtonElement} */ (player.querySelector("[data-play]"));
  const speed = /** @type {HTMLSelectElement} */ (player.querySelector("[data-speed]"));
  if (playing) {
    clearTimeout(playing);
    playing = undefined;
    button.setAttribute("aria-pressed", "false");
    return;
  }
  button.setAttribute("aria-pressed", "true");
  let isFirst = true;
  const tick = () => {
    const now = document.querySelector("[data-player]");
    if (!now) return;
    const on = now.querySelector('[data-turn="on"]:not([aria-disabled="true"])');
    // When shown to the class, it waits where the class is asked, until the next press.
    const asks = now.matches("[data-presented]") && now.querySelector(".present-question");
    if (!on || (asks && !isFirst)) return play(now);
    isFirst = false;
    on.click();
    playing = setTimeout(tick, Number(speed.value));
  };
  if (!player.querySelector('[data-turn="on"]:not([aria-disabled="true"])')) turn(player, "first");
  playing = setTimeout(tick, Number(speed.value));
}

document.addEventListener("click", (event) => {
  const button = event.target?.closest?.("[data-play]");
  const player = button?.closest("[data-player]");
  if (player) play(player);
});

/* Copying: a button with `data-copy` copies the field with that id and says so. */

document.addEventListener("click", async (event) => {
  const button = event.target?.closest?.("[data-copy]");
  if (!button) return;
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // There is no clipboard API without HTTPS, and a school can forbid it.
    document.execCommand("copy");
  }
  button.textContent = button.dataset.copied ?? null;
});
