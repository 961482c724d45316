/** Synthetic speech for tests that must know its content: 16 kHz, full scale 32767. */
export const RATE = 16_000;

/** The first three formants of an adult voice, in Hz. */
const FORMANTS = {
  a: [760, 1250, 2550],
  i: [280, 2300, 3050],
  e: [480, 1950, 2600],
  o: [430, 800, 2450],
  u: [310, 750, 2300],
} as const;
type Vowel = keyof typeof FORMANTS;

/** Lips closed: p without voice, b with a little through the cheeks, m through the nose. */
const CLOSURES = {
  p: { formants: [250, 800, 2200], voice: 0 },
  b: { formants: [200, 800, 2200], voice: 0.03 },
  m: { formants: [250, 1000, 2200], voice: 0.3 },
} as const;
type Closure = keyof typeof CLOSURES;

/** Fades in and out over 20 ms. */
export function vowel(name: Vowel, ms: number, of: { pitch?: number; level?: number } = {}) {
  return utterance([[name, ms]], of);
}

/** A glottal buzz through three resonances that glide from sound to sound. */
export function utterance(
  sounds: [Vowel | Closure, number][],
  of: { pitch?: number; level?: number } = {},
) {
  const pitch = of.pitch ?? 120;
  const steps = sounds.flatMap(([name, ms]) =>
    Array<Vowel | Closure>(Math.round((ms * RATE) / 1000)).fill(name),
  );
  const sound = new Float64Array(steps.length);
  const voice = new Float64Array(steps.length);
  let phase = 0;
  steps.forEach((name, i) => {
    voice[i] = name in CLOSURES ? CLOSURES[name as Closure].voice : 1;
    // A little vibrato: real voices never hold a steady tone.
    phase += (pitch * (1 + 0.02 * Math.sin((2 * Math.PI * 5 * i) / RATE))) / RATE;
    if (phase < 1) return;
    phase -= 1;
    sound[i] = 1;
  });
  glide(voice, 5);
  lowPass(sound);
  for (const formant of [0, 1, 2]) {
    const hertz = Float64Array.from(steps, (name) => formantsOf(name)[formant]!);
    glide(hertz, 30);
    resonate(sound, hertz, 70 + 40 * formant);
  }
  return scaled(
    sound.map((value, i) => value * voice[i]!),
    of.level ?? 0.3,
    20,
  );
}

const formantsOf = (name: Vowel | Closure): readonly number[] =>
  name in CLOSURES ? CLOSURES[name as Closure].formants : FORMANTS[name as Vowel];

export function silence(ms: number) {
  return new Int16Array(Math.round((ms * RATE) / 1000));
}

/** White noise, the same each time. */
export function noise(ms: number, level: number) {
  let seed = 7;
  const sound = Float64Array.from({ length: Math.round((ms * RATE) / 1000) }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 30 - 1;
  });
  return scaled(sound, level, 0);
}

/** Simple music: three notes with overtones, changing every 600 ms. */
export function chords(ms: number, level: number) {
  const notes = [220, 262, 330, 247, 294, 392, 196, 349];
  const length = 0.6 * RATE;
  const sound = Float64Array.from({ length: Math.round((ms * RATE) / 1000) }, (_, i) => {
    const chord = Math.floor(i / length);
    const seconds = (i % length) / RATE;
    let sum = 0;
    for (const step of [0, 2, 5]) {
      const hertz = notes[(chord * 3 + step) % notes.length]!;
      for (let overtone = 1; overtone <= 5; overtone++) {
        sum += Math.sin(2 * Math.PI * hertz * overtone * seconds) / overtone;
      }
    }
    return sum * Math.exp(-2.2 * seconds) * Math.min(1, seconds / 0.01);
  });
  return scaled(sound, level, 0);
}

function lowPass(sound: Float64Array) {
  let level = 0;
  for (let i = 0; i < sound.length; i++) {
    level += 0.25 * (sound[i]! - level);
    sound[i] = level;
  }
}

/** Smooths each value over `ms` on either side. */
function glide(values: Float64Array, ms: number) {
  const half = Math.round((ms * RATE) / 2000);
  const sums = new Float64Array(values.length + 1);
  values.forEach((value, i) => (sums[i + 1] = sums[i]! + value));
  values.forEach((_, i) => {
    const from = Math.max(0, i - half);
    const to = Math.min(values.length, i + half + 1);
    values[i] = (sums[to]! - sums[from]!) / (to - from);
  });
}

function resonate(sound: Float64Array, hertz: Float64Array, width: number) {
  const radius = Math.exp((-Math.PI * width) / RATE);
  let a = 0;
  let b = 0;
  for (let i = 0; i < sound.length; i++) {
    const turn = 2 * radius * Math.cos((2 * Math.PI * hertz[i]!) / RATE);
    const value = sound[i]! * (1 - turn + radius * radius) + turn * a - radius * radius * b;
    b = a;
    a = value;
    sound[i] = value;
  }
}

function scaled(sound: Float64Array, level: number, fadeMs: number) {
  const most = sound.reduce((highest, value) => Math.max(highest, Math.abs(value)), 1e-9);
  const fade = Math.max(1, (fadeMs * RATE) / 1000);
  return Int16Array.from(sound, (value, i) => {
    const edge = Math.min(1, i / fade, (sound.length - 1 - i) / fade);
    return Math.round((value / most) * level * (fadeMs > 0 ? edge : 1) * 32_767);
  });
}
