// Short sounds made on the spot (nothing to download). Browsers allow them only after a first gesture.

const NOTES = {
  move: [[180, 0.05, 'triangle', 0.5]], hit: [[120, 0.09, 'square', 0.25], [90, 0.12, 'triangle', 0.5]], off: [[420, 0.06, 'triangle', 0.3]],
  roll: [[240, 0.03, 'square', 0.16], [200, 0.03, 'square', 0.16, 0.07], [260, 0.03, 'square', 0.14, 0.13], [190, 0.04, 'square', 0.14, 0.2]],
  turn: [[520, 0.12, 'sine', 0.25], [660, 0.16, 'sine', 0.25, 0.12]], double: [[440, 0.14, 'sine', 0.3], [440, 0.14, 'sine', 0.3, 0.2]],
  low: [[880, 0.1, 'sine', 0.25]], end: [[392, 0.16, 'sine', 0.25], [494, 0.16, 'sine', 0.25, 0.15], [587, 0.3, 'sine', 0.25, 0.3]],
};

let context = null;
export let on = localStorage.getItem('sound') !== 'off';

export function setSound(wanted) {
  on = wanted;
  localStorage.setItem('sound', wanted ? 'on' : 'off');
  if (wanted) unlock();
}

/** Must be called from a gesture. */
export function unlock() {
  if (!on) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
}

export function sound(name) {
  if (!on || !context || context.state !== 'running' || document.visibilityState === 'hidden' && name !== 'turn') return;
  for (const [pitch, length, type, volume, later = 0] of NOTES[name]) {
    const start = context.currentTime + later, tone = context.createOscillator(), gain = context.createGain();
    tone.type = type;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}
