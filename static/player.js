/* Players (`data-player`): arrow keys and automatic play press the page's own links. And copying a
   field's text (`data-copy`). */

function turn(player, name) {
  player.querySelector(`[data-turn="${name}"]:not([aria-disabled="true"])`)?.click();
}

const TURNS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const player = document.querySelector("[data-player]");
  const busy = event.target.closest?.("input, select, textarea, .spot[data-move]");
  if (!player || busy || event.altKey || event.ctrlKey || event.metaKey) return;
  if (TURNS[event.key]) {
    turn(player, TURNS[event.key]);
    event.preventDefault();
  }
});

let playing = null;

function play(player) {
  const button = player.querySelector("[data-play]");
  const speed = player.querySelector("[data-speed]");
  if (playing) {
    clearTimeout(playing);
    playing = null;
    button.setAttribute("aria-pressed", "false");
    return;
  }
  button.setAttribute("aria-pressed", "true");
  let isFirst = true;
  const tick = () => {
    const now = document.querySelector("[data-player]");
    const on = now?.querySelector('[data-turn="on"]:not([aria-disabled="true"])');
    // Shown to the class, it waits where the class is asked; the next press goes on.
    const asks = now?.matches("[data-presented]") && now.querySelector(".present-question");
    if (!on || (asks && !isFirst)) return play(now);
    isFirst = false;
    on.click();
    playing = setTimeout(tick, Number(speed.value));
  };
  if (!player.querySelector('[data-turn="on"]:not([aria-disabled="true"])')) turn(player, "first");
  playing = setTimeout(tick, Number(speed.value));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-play]");
  if (button) play(button.closest("[data-player]"));
});

/* Copying: a button with `data-copy` copies the field of that id and says so */

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  // Without HTTPS there is no clipboard, only the old command.
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
  button.textContent = button.dataset.copied;
});
