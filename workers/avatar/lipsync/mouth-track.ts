import {
  Analysis,
  HOP_MS,
  HOP_SAMPLES,
  JUDGEMENT_SIZE,
  OPENING,
  PRESSED,
  ROUNDING,
  VISEMES,
  type Viseme,
} from './analysis.ts';
import { Grid } from './grid.ts';
import type { Weights } from './network.ts';
import type { LipShape, Mouth } from '../../bundle/visemes.ts';

/** A mouth at one time. `opening` and `rounding` are 0..1. */
export type Look = { viseme: Viseme; opening: number; rounding: number };

/**
 * A smooth mouth at any media time. Estimates are on a fixed grid of 10 ms and are overwritten by
 * better ones. Where speech has arrived, the mouth is a smoothed estimate; up to HOLD_MS beyond
 * (real-time speech) it holds the latest estimate; elsewhere it closes. The jaw's limits depend on
 * the previous frame, so each session has its own LipSync and asks with times that do not decrease.
 */
export class LipSync {
  readonly #grid = new Grid(JUDGEMENT_SIZE);
  readonly #loudness = new Grid(1);
  readonly #analysis: Analysis;
  readonly #now = new Float64Array(JUDGEMENT_SIZE);
  /** End of the speech heard, in samples on the session's clock. -1: none. */
  #heardUntil = -1;
  #holdMs = HOLD_MS;
  #shownMs = -1e9;
  /** The last hop searched for shut lips. */
  #searchedUntil = -1;
  #look: Look = { viseme: 'sil', opening: 0, rounding: 0 };

  constructor(weights?: Weights) {
    const listener = {
      judged: (hop: number, judgement: Float64Array) => this.#grid.put(hop, judgement),
      measured: (hop: number, loudness: number) => this.#loudness.put(hop, loudness),
    };
    this.#analysis = new Analysis(listener, weights);
  }

  /**
   * Takes mono speech at `HEARING_RATE`, played from `atMs` of media time. A gap between two runs
   * is silence.
   */
  hear(samples16k: Int16Array, atMs: number) {
    const at = Math.round((atMs * HOP_SAMPLES) / HOP_MS);
    const gap = at - this.#heardUntil;
    const follows = this.#heardUntil >= 0 && Math.abs(gap) <= SAME_MOMENT;
    if (!follows) this.#pause(at, gap);
    this.#analysis.hear(samples16k);
    // Counted in samples where runs follow each other, so that rounding errors do not accumulate.
    this.#heardUntil = (follows ? this.#heardUntil : at) + samples16k.length;
    this.#holdMs = HOLD_MS;
  }

  /** Cancels speech from `atMs` on: the mouth begins to close at once. */
  hush(atMs: number) {
    const hop = Math.ceil(atMs / HOP_MS);
    this.#grid.forgetFrom(hop);
    this.#loudness.forgetFrom(hop);
    this.#heardUntil = -1;
    this.#holdMs = 0;
  }

  mouthAt(atMs: number): Mouth {
    const { viseme, opening } = this.lookAt(atMs);
    return { ...LIPS[viseme], opening };
  }

  lookAt(atMs: number): Look {
    const passedMs = Math.max(0, atMs - this.#shownMs);
    if (passedMs === 0) return this.#look;
    this.#shownMs = atMs;
    this.#read(atMs);
    const now = this.#now;
    const rounding = now[ROUNDING]!;
    const quiet = now[QUIET]!;
    const viseme = likeliest(now);
    // Within speech only some visemes shut the mouth.
    const least = SHUTTING.has(viseme) || quiet > 0.5 ? 0 : PARTED;
    const targetOpening = Math.max(least, spoken(now[OPENING]!, quiet));
    const pressed = Math.max(now[PRESSED]!, this.#pressedBy(atMs, passedMs) - BESIDE);
    if (pressed > PRESSED_ENOUGH && quiet < 0.5) {
      // Lips touch fast. With less certainty they leave a small gap, in case the estimate is wrong.
      const gap = (WIDEST_PRESSED * (1 - pressed)) / (1 - PRESSED_ENOUGH);
      this.#look = { viseme: 'PP', opening: Math.min(targetOpening, gap), rounding };
      return this.#look;
    }
    // The jaw's speed is limited, and lower when it comes to rest.
    const isKnown = atMs - this.#grid.newest * HOP_MS < this.#holdMs;
    const fall = passedMs / (!isKnown ? CLOSING_MS : quiet > 0.5 ? RESTING_MS : JAW_MS);
    const lastOpening = this.#look.opening;
    const opening = Math.max(
      lastOpening - fall,
      Math.min(lastOpening + passedMs / JAW_MS, targetOpening),
    );
    this.#look = { viseme, opening: opening < SHUT ? 0 : opening, rounding };
    return this.#look;
  }

  /** Smoothed loudness relative to the voice's level, 0..1. Drives head and brows. */
  loudnessAt(atMs: number): number {
    const at = atMs / HOP_MS;
    const reach = LOUDNESS_EASING_MS / HOP_MS;
    const voiced = 1 - this.#grid.mean(at, reach, QUIET);
    return voiced * this.#loudness.mean(at, reach, 0);
  }

  /** Feeds the silence before `at`, as far as it matters for what follows. */
  #pause(at: number, gap: number) {
    if (this.#heardUntil >= 0 && gap > 0 && gap <= SILENCE.length) {
      this.#analysis.hear(SILENCE.subarray(0, gap));
      return;
    }
    const hop = Math.floor(at / HOP_SAMPLES) - PAUSE_HOPS;
    this.#analysis.goTo(hop);
    this.#analysis.hear(SILENCE.subarray(0, at - hop * HOP_SAMPLES));
  }

  #read(atMs: number) {
    const newestMs = Math.min(atMs, this.#grid.newest * HOP_MS);
    const readMs = atMs - newestMs < this.#holdMs ? newestMs : atMs;
    for (let i = 0; i < JUDGEMENT_SIZE; i++) {
      this.#now[i] = this.#grid.mean(readMs / HOP_MS, EASING_MS / HOP_MS, i);
    }
  }

  /**
   * The highest probability of shut lips that no frame has shown yet, up to half a frame after
   * `atMs`. At 25 fps a closure may otherwise fall between two frames.
   */
  #pressedBy(atMs: number, passedMs: number): number {
    const frameMs = Math.min(passedMs, LONGEST_FRAME_MS);
    const firstHop = Math.max(this.#searchedUntil + 1, (atMs - frameMs) / HOP_MS);
    const lastHop = Math.min(this.#grid.newest, Math.floor((atMs + frameMs / 2) / HOP_MS));
    this.#searchedUntil = lastHop;
    return this.#grid.most(firstHop, lastHop, PRESSED);
  }
}

const SAMPLES_PER_MS = HOP_SAMPLES / HOP_MS;
const QUIET = VISEMES.indexOf('sil');
/**
 * Threshold with the best score on unknown voices. A missed closure is more visible than a false
 * one.
 */
const PRESSED_ENOUGH = 0.6;
/** Extra probability required of a closure between two frames. */
const BESIDE = 0.25;
const WIDEST_PRESSED = 0.2;
/** A run this close to the end of the last one continues it, because times are rounded. */
const SAME_MOMENT = 2 * SAMPLES_PER_MS;
/** The longest pause fed in full. Of a longer one, only the last PAUSE_HOPS are. */
const SILENCE = new Int16Array(300 * SAMPLES_PER_MS);
const PAUSE_HOPS = 30;
const EASING_MS = 20;
const LOUDNESS_EASING_MS = 60;
const HOLD_MS = 40;
const LONGEST_FRAME_MS = 40;
/** Time from wide open to shut: in speech, in a pause, and when speech is cut off. */
const JAW_MS = 60;
const RESTING_MS = 200;
const CLOSING_MS = 120;
const SHUT = 0.04;
const SHUTTING: ReadonlySet<Viseme> = new Set<Viseme>(['sil', 'PP', 'FF']);
const PARTED = 0.12;
/**
 * Weight of silence against sounds: the network more often takes a faint sound for silence than
 * silence for a sound.
 */
const QUIET_WEIGHT = 0.7;
/**
 * Openings below BARELY stay shut, in a likely pause below the sum of both. From CLEARLY above it
 * they count in full.
 */
const BARELY = 0.04;
const BARELY_IN_PAUSE = 0.2;
const CLEARLY = 0.15;
/** By how much the network underestimates the opening when silence is likely but wrong. */
const HELD_BACK = 0.6;

const full = (lips: LipShape) => ({ lips, strength: 1 });
const half = (lips: LipShape) => ({ lips, strength: 0.5 });

const LIPS: Record<Viseme, Omit<Mouth, 'opening'>> = {
  sil: full('neutral'),
  PP: full('pressed'),
  FF: full('teeth_on_lip'),
  TH: full('tongue'),
  DD: full('neutral'),
  kk: full('neutral'),
  CH: full('flared'),
  SS: half('spread'),
  nn: full('tongue'),
  RR: half('rounded'),
  aa: full('neutral'),
  E: half('spread'),
  I: full('spread'),
  O: half('rounded'),
  U: full('rounded'),
};

/**
 * Visemes that look alike compete as a group: that it is one of these consonants is more certain
 * than which. Pressed lips are decided separately.
 */
const ALIKE = [
  ['sil'],
  ['FF'],
  ['aa'],
  ['E', 'I'],
  ['O', 'U'],
  ['TH', 'DD', 'kk', 'CH', 'SS', 'nn', 'RR'],
].map((visemes) => visemes.map((viseme) => VISEMES.indexOf(viseme as Viseme)));

/**
 * The opening to show. In doubt the network's value is a mean of an open and a shut mouth: a small
 * value then is music or noise and stays shut; a large one is speech and opens fully.
 */
function spoken(opening: number, quiet: number): number {
  const excess = opening - BARELY - BARELY_IN_PAUSE * quiet;
  const clarity = Math.max(0, Math.min(1, excess / CLEARLY));
  return Math.min(1, clarity * opening * (1 + HELD_BACK * quiet));
}

function likeliest(judgement: Float64Array): Viseme {
  let best = 0;
  let most = -1;
  for (const alike of ALIKE) {
    let sum = 0;
    for (const viseme of alike) sum += judgement[viseme]!;
    if (alike[0] === QUIET) sum *= QUIET_WEIGHT;
    if (sum <= most) continue;
    most = sum;
    best = alike[0]!;
    for (const viseme of alike) if (judgement[viseme]! > judgement[best]!) best = viseme;
  }
  return VISEMES[best]!;
}
