/* A stone is heard and felt: made here, of noise and tones. The switch is remembered. */

const OFF = "sound off";
const button = document.querySelector("[data-sound]");
let sound = null;

const isOn = () => localStorage.getItem(OFF) === null;

/* To open the loudspeakers takes a tenth of a second, and AudioContext holds the page meanwhile: who
   has asked for them before, which holds nothing, finds them open. */
if (button && isOn()) navigator.mediaDevices?.enumerateDevices().catch(() => {});

/* What is seen comes first. */
function play(make) {
  if (!isOn()) return;
  setTimeout(() => {
    sound ??= new AudioContext();
    sound.resume();
    make(sound, sound.currentTime);
  });
}

function loudness(context, at, peak, seconds) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(peak, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(context.destination);
  return gain;
}

function tone(context, at, pitch, peak, seconds, shape = "sine") {
  const wave = context.createOscillator();
  wave.type = shape;
  wave.frequency.setValueAtTime(pitch, at);
  wave.connect(loudness(context, at, peak, seconds));
  wave.start(at);
  wave.stop(at + seconds);
}

/* A short knock: slate on wood. No two are quite alike. */
function stone(context, at) {
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

const back = (context, at) => tone(context, at, 330, 0.05, 0.07, "triangle");

function no(context, at) {
  tone(context, at, 150, 0.09, 0.12, "triangle");
  tone(context, at + 0.09, 120, 0.09, 0.14, "triangle");
}

function solved(context, at) {
  [523, 659, 784, 1047].forEach((pitch, number) => tone(context, at + number * 0.11, pitch, 0.09, 0.5));
}

const feel = (pattern) =>
  isOn() && navigator.userActivation?.hasBeenActive && navigator.vibrate?.(pattern);

document.addEventListener("board:step", ({ detail: step }) => {
  play(step.action === "undo" ? back : stone);
  feel(8);
});
document.addEventListener("board:refused", () => {
  play(no);
  feel([20, 40, 20]);
});
document.addEventListener("board:solved", () => play(solved));

function show() {
  button.setAttribute("aria-pressed", isOn());
}

if (button) {
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    if (isOn()) localStorage.setItem(OFF, "");
    else localStorage.removeItem(OFF);
    show();
    play(stone);
  });
}
