/*
 * A smooth mouth at any media time, from the judgements of what was heard. Judgements lie on a fixed grid of 10 ms and are overwritten as
 * better ones come. A moment is:
 *   judged     speech reaches it: the judgements around it, eased
 *   ahead      speech comes at its own pace and has not reached it: the last judgement holds for a moment
 *   silent     nothing more is known: the mouth closes within CLOSING_MS
 */
import {
  Analysis,
  HOP_MS,
  HOP_SAMPLES,
  JUDGEMENT_SIZE,
  LOUDNESS,
  OPENING,
  VISEMES,
  type Viseme,
} from './analyse.ts';
import type { LipShape, Mouth } from './visemes.ts';

export class LipSync {
  readonly #analysis = new Analysis((hop, judgement) => this.#keep(hop, judgement));
  readonly #grid = new Float32Array(GRID_HOPS * JUDGEMENT_SIZE);
  /** Which hop each place of the grid holds. */
  readonly #hops = new Float64Array(GRID_HOPS).fill(-1);
  readonly #now = new Float32Array(JUDGEMENT_SIZE);
  /** On the session's clock, in samples: what was heard up to now, and from when on nothing may sound. */
  #heard = -1;
  #hushed = Infinity;
  #askedMs = 0;
  #opening = 0;

  /** Mono speech that begins to sound at `atMs` of media time. */
  hear(samples16k: Int16Array, atMs: number) {
    const at = Math.round((atMs * HOP_SAMPLES) / HOP_MS);
    if (at >= this.#hushed) this.#hushed = Infinity;
    const gap = at - this.#heard;
    if (this.#heard < 0 || gap < -SAME_MOMENT || gap > LONGEST_GAP) this.#restart(at);
    else if (gap > SAME_MOMENT) this.#analysis.hear(null, gap);
    else return this.#hearNext(samples16k, this.#heard);
    this.#hearNext(samples16k, at);
  }

  /** What was heard for `atMs` and later will not sound. */
  hush(atMs: number) {
    this.#hushed = Math.round((atMs * HOP_SAMPLES) / HOP_MS);
    const first = Math.ceil(atMs / HOP_MS);
    for (let place = 0; place < GRID_HOPS; place++) {
      if (this.#hops[place]! >= first) this.#hops[place] = -1;
    }
    this.#heard = -1;
  }

  mouthAt(atMs: number): Mouth {
    this.#easeTo(atMs);
    const pressed = this.#pressedSince(this.#askedMs, atMs);
    const passed = Math.max(0, atMs - this.#askedMs);
    this.#askedMs = atMs;
    if (pressed) {
      this.#opening = 0;
      return { lips: 'pressed', opening: 0 };
    }
    // A jaw needs some 80 ms from shut to wide.
    const reach = passed / 80;
    const wanted = this.#now[OPENING]!;
    this.#opening = Math.max(this.#opening - reach, Math.min(this.#opening + reach, wanted));
    return { lips: LIPS[likeliest(this.#now)], opening: this.#opening };
  }

  /** How loud the voice is, 0..1, eased: for the head and the brows. */
  loudnessAt(atMs: number): number {
    this.#easeTo(atMs);
    return this.#now[LOUDNESS]!;
  }

  #restart(at: number) {
    const hop = Math.floor(at / HOP_SAMPLES);
    this.#analysis.restart(hop);
    this.#analysis.hear(null, at - hop * HOP_SAMPLES);
  }

  #hearNext(samples: Int16Array, at: number) {
    this.#analysis.hear(samples);
    this.#heard = at + samples.length;
  }

  #keep(hop: number, judgement: Float32Array) {
    if (hop < 0 || hop * HOP_SAMPLES > this.#hushed) return;
    const place = hop % GRID_HOPS;
    this.#hops[place] = hop;
    this.#grid.set(judgement, place * JUDGEMENT_SIZE);
  }

  /** Leaves in `#now` the mean of the judgements within EASING_MS of the moment. */
  #easeTo(atMs: number) {
    const now = this.#now.fill(0);
    let sum = 0;
    for (
      let hop = Math.ceil((atMs - EASING_MS) / HOP_MS);
      hop * HOP_MS <= atMs + EASING_MS;
      hop++
    ) {
      const place = this.#placeOf(hop);
      if (place < 0) continue;
      const weight = 1 - Math.abs(hop * HOP_MS - atMs) / (EASING_MS + HOP_MS);
      sum += weight;
      for (let i = 0; i < JUDGEMENT_SIZE; i++) {
        now[i] = now[i]! + weight * this.#grid[place * JUDGEMENT_SIZE + i]!;
      }
    }
    if (sum === 0) now[VISEMES.indexOf('sil')] = 1;
    else for (let i = 0; i < JUDGEMENT_SIZE; i++) now[i] = now[i]! / sum;
  }

  /** Lips that were shut at any time since the last picture are shown shut: at 25 fps a closure would fall between two pictures. */
  #pressedSince(sinceMs: number, atMs: number): boolean {
    const from = Math.max(sinceMs, atMs - LONGEST_FRAME_MS);
    for (let hop = Math.ceil(from / HOP_MS); hop * HOP_MS <= atMs + HOP_MS; hop++) {
      const place = this.#placeOf(hop);
      if (place < 0) continue;
      if (this.#grid[place * JUDGEMENT_SIZE + VISEMES.indexOf('PP')]! > 0.5) return true;
    }
    return false;
  }

  #placeOf(hop: number): number {
    if (hop < 0) return -1;
    const place = hop % GRID_HOPS;
    return this.#hops[place] === hop ? place : -1;
  }
}

/** Speech may be told this much before it sounds; more would overwrite what was not shown yet. */
const GRID_HOPS = 512;
/** In samples: rounding of times, and a pause longer than which nothing before counts. */
const SAME_MOMENT = 32;
const LONGEST_GAP = 4800;
const EASING_MS = 20;
const LONGEST_FRAME_MS = 40;

const LIPS: Record<Viseme, LipShape> = {
  sil: 'neutral',
  PP: 'pressed',
  FF: 'teeth_on_lip',
  TH: 'tongue',
  DD: 'neutral',
  kk: 'neutral',
  CH: 'rounded',
  SS: 'spread',
  nn: 'tongue',
  RR: 'rounded',
  aa: 'neutral',
  E: 'spread',
  I: 'spread',
  O: 'rounded',
  U: 'rounded',
};

function likeliest(judgement: Float32Array): Viseme {
  let best = 0;
  for (let i = 1; i < VISEMES.length; i++) if (judgement[i]! > judgement[best]!) best = i;
  return VISEMES[best]!;
}
