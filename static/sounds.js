/* Sounds and vibrations of stones. The sounds are made of noise and tones. The switch is remembered. */

import { lasting } from "./browser.js";

const OFF = "sound off";
const button = document.querySelector("[data-sound]");
/** @type {AudioContext | null} */
let audio = null;

const isOn = () => lasting.read(OFF) === null;

/* Opening the loudspeakers takes a tenth of a second, during which AudioContext blocks the page.
   Asking for the devices first opens them without blocking. */
if (button && isOn()) navigator.mediaDevices?.enumerateDevices().catch(() => {});

/* The functions that make a sound get the loudspeakers, and the moment at which it begins in seconds. */

/** @typedef {(context: AudioContext, at: number) => void} Sound */

/**
 * Play a sound after the picture has been painted.
 *
 * @param {Sound} make
 */
function play(make) {
  if (!isOn()) return;
  setTimeout(() => {
    audio ??= new AudioContext();
    audio.resume();
    make(audio, audio.currentTime);
  });
}

/**
 * Return an output whose loudness falls from its peak to nothing.
 *
 * @param {AudioContext} context
 * @param {number} at
 * @param {number} peak
 * @param {number} seconds
 */
function loudness(context, at, peak, seconds) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(peak, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(context.destination);
  return gain;
}

/**
 * Play a tone.
 *
 * @param {AudioContext} context
 * @param {number} at
 * @param {number} pitch In hertz.
 * @param {number} peak
 * @param {number} seconds
 * @param {OscillatorType} shape
 */
function tone(context, at, pitch, peak, seconds, shape = "sine") {
  const wave = context.createOscillator();
  wave.type = shape;
  wave.frequency.setValueAtTime(pitch, at);
  wave.connect(loudness(context, at, peak, seconds));
  wave.start(at);
  wave.stop(at + seconds);
}

/**
 * Play a short knock of slate on wood. No two knocks are quite alike.
 *
 * @type {Sound}
 */
function stoneSound(context, at) {
  const length = Math.floor(context.sampleRate * 0.03);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 4;
  const noise = context.createBufferSource();
  noise.buffer = buffer;
  const wood = context.createBiquadFilter();
  wood.type = "bandpass";
  wood.frequency.value = 1700 + Math.random() * 500;
  noise.connect(wood).connect(loudness(context, at, 0.5, 0.06));
  noise.start(at);
  tone(context, at, 210 + Math.random() * 30, 0.12, 0.05);
}

/** @type {Sound} */
const undoSound = (context, at) => tone(context, at, 330, 0.05, 0.07, "triangle");

/** @type {Sound} */
function refusalSound(context, at) {
  tone(context, at, 150, 0.09, 0.12, "triangle");
  tone(context, at + 0.09, 120, 0.09, 0.14, "triangle");
}

/** @type {Sound} */
function solvedSound(context, at) {
  for (const [number, pitch] of [523, 659, 784, 1047].entries())
    tone(context, at + number * 0.11, pitch, 0.09, 0.5);
}

/** @param {VibratePattern} pattern */
const vibrate = (pattern) =>
  isOn() && navigator.userActivation?.hasBeenActive && navigator.vibrate?.(pattern);

/**
 * Make an event of the board heard and felt.
 *
 * @param {Event} event
 */
export function hear(event) {
  if (event.type === "board:solved") play(solvedSound);
  else if (event.type === "board:refused") {
    play(refusalSound);
    vibrate([20, 40, 20]);
  } else {
    const { detail: step } = /** @type {CustomEvent} */ (event);
    play(step.action === "undo" ? undoSound : stoneSound);
    vibrate(8);
  }
}

for (const name of ["board:step", "board:refused", "board:solved"]) document.addEventListener(name, hear);

function show() {
  button?.setAttribute("aria-pressed", String(isOn()));
}

if (button) {
  show();
  button.addEventListener("click", () => {
    if (isOn()) lasting.write(OFF, "");
    else lasting.remove(OFF);
    show();
    play(stoneSound);
  });
}
