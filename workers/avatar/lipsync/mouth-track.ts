/*
 * A smooth mouth at any media time, from the judgements of what was heard. Judgements lie on a fixed grid of 10 ms and are overwritten as
 * better ones come. A moment is:
 *   judged     speech reaches it: the judgements around it, eased
 *   ahead      speech comes at its own pace and has not reached it yet: the newest judgement holds for HOLD_MS
 *   silent     nothing is known of it: the mouth closes
 * What follows a jaw's own limits (opening, and how long lips stay shut) depends on the last picture, so each face has its own LipSync
 * and asks with times that do not go back.
 */
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
} from './analyse.ts';
import { Grid } from './grid.ts';
import type { Weights } from './network.ts';
import type { LipShape, Mouth } from '../../bundle/visemes.ts';

/** What is seen of a mouth at one moment; `opening` and `rounding` are 0..1. */
export type Look = { viseme: Viseme; opening: number; rounding: number };

export class LipSync {
  readonly #grid = new Grid(JUDGEMENT_SIZE);
  readonly #loudness = new Grid(1);
  readonly #analysis: Analysis;
  readonly #now = new Float64Array(JUDGEMENT_SIZE);
  /** On the session's clock, in samples: up to where speech was told. */
  #told = -1;
  #holdMs = HOLD_MS;
  #shownMs = -1e9;
  /** The last hop that was searched for shut lips. */
  #lookedAt = -1;
  #look: Look = { viseme: 'sil', opening: 0, rounding: 0 };

  constructor(weights?: Weights) {
    const listener = {
      judged: (hop: number, judgement: Float64Array) => this.#grid.put(hop, judgement),
      measured: (hop: number, loudness: number) => this.#loudness.put(hop, loudness),
    };
    this.#analysis = new Analysis(listener, weights);
  }

  /** Mono speech that begins to sound at `atMs` of media time. Runs may follow each other without a gap; a gap is silence. */
  hear(samples16k: Int16Array, atMs: number) {
    const at = Math.round((atMs * HOP_SAMPLES) / HOP_MS);
    const gap = at - this.#told;
    const follows = this.#told >= 0 && Math.abs(gap) <= SAME_MOMENT;
    if (!follows) this.#pause(at, gap);
    this.#analysis.hear(samples16k);
    // Rounded times must not add up: a run that follows the last one is counted in samples.
    this.#told = (follows ? this.#told : at) + samples16k.length;
    this.#holdMs = HOLD_MS;
  }

  /** What was told for `atMs` and later will not sound: the mouth begins to close at once. */
  hush(atMs: number) {
    const hop = Math.ceil(atMs / HOP_MS);
    this.#grid.forgetFrom(hop);
    this.#loudness.forgetFrom(hop);
    this.#told = -1;
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
    // Within speech only some sounds shut the mouth.
    const least = SHUTTING.has(viseme) || quiet > 0.5 ? 0 : PARTED;
    const wanted = Math.max(least, spoken(now[OPENING]!, quiet));
    const pressed = Math.max(now[PRESSED]!, this.#pressedBy(atMs, passedMs) - BESIDE);
    if (pressed > PRESSED_ENOUGH && quiet < 0.5) {
      // Lips touch fast. The less sure they are shut, the less is lost by a little gap behind them.
      const gap = (WIDEST_PRESSED * (1 - pressed)) / (1 - PRESSED_ENOUGH);
      this.#look = { viseme: 'PP', opening: Math.min(wanted, gap), rounding };
      return this.#look;
    }
    // A jaw moves only so fast, and comes to rest slower than it speaks.
    const isKnown = atMs - this.#grid.newest * HOP_MS < this.#holdMs;
    const fall = passedMs / (!isKnown ? CLOSING_MS : quiet > 0.5 ? RESTING_MS : JAW_MS);
    const before = this.#look.opening;
    const opening = Math.max(before - fall, Math.min(before + passedMs / JAW_MS, wanted));
    this.#look = { viseme, opening: opening < SHUT ? 0 : opening, rounding };
    return this.#look;
  }

  /** How loud the voice is, 0..1 of its own level, eased: for the head and the brows. */
  loudnessAt(atMs: number): number {
    const at = atMs / HOP_MS;
    const reach = LOUDNESS_EASING_MS / HOP_MS;
    const voiced = 1 - this.#grid.mean(at, reach, QUIET);
    return voiced * this.#loudness.mean(at, reach, 0);
  }

  /** Silence before `at`, as far as it still counts for what follows. */
  #pause(at: number, gap: number) {
    if (this.#told >= 0 && gap > 0 && gap <= SILENCE.length) {
      this.#analysis.hear(SILENCE.subarray(0, gap));
      return;
    }
    const hop = Math.floor(at / HOP_SAMPLES) - PAUSE_HOPS;
    this.#analysis.goTo(hop);
    this.#analysis.hear(SILENCE.subarray(0, at - hop * HOP_SAMPLES));
  }

  #read(atMs: number) {
    const newestMs = Math.min(atMs, this.#grid.newest * HOP_MS);
    const known = atMs - newestMs < this.#holdMs ? newestMs : atMs;
    for (let i = 0; i < JUDGEMENT_SIZE; i++) {
      this.#now[i] = this.#grid.mean(known / HOP_MS, EASING_MS / HOP_MS, i);
    }
  }

  /**
   * The surest sign of shut lips that no picture has shown yet, up to half a picture's time after `atMs`: at 25 fps a closure would else
   * fall between two pictures.
   */
  #pressedBy(atMs: number, passedMs: number): number {
    const frameMs = Math.min(passedMs, LONGEST_FRAME_MS);
    const first = Math.max(this.#lookedAt + 1, (atMs - frameMs) / HOP_MS);
    const last = Math.min(this.#grid.newest, Math.floor((atMs + frameMs / 2) / HOP_MS));
    this.#lookedAt = last;
    return this.#grid.most(first, last, PRESSED);
  }
}

const QUIET = VISEMES.indexOf('sil');
/** Where closures score best, by voices that the network did not know: to miss one is seen sooner than one too many. */
const PRESSED_ENOUGH = 0.6;
/** How much surer a sign must be that no picture's own moment has. */
const BESIDE = 0.25;
const WIDEST_PRESSED = 0.2;
/** A run this close to the end of the last one follows it (times are rounded): 2 ms. */
const SAME_MOMENT = 32;
/** The longest pause that is heard as it is; of a longer one only the last PAUSE_HOPS are. */
const SILENCE = new Int16Array(16 * 300);
const PAUSE_HOPS = 30;
const EASING_MS = 20;
const LOUDNESS_EASING_MS = 60;
const HOLD_MS = 40;
const LONGEST_FRAME_MS = 40;
/** Between shut and wide: in speech, in a pause, and when speech has stopped short. */
const JAW_MS = 60;
const RESTING_MS = 200;
const CLOSING_MS = 120;
const SHUT = 0.04;
const SHUTTING: ReadonlySet<Viseme> = new Set<Viseme>(['sil', 'PP', 'FF']);
const PARTED = 0.12;
/** What a likely pause counts against sounds: the network takes a faint one for a pause more often than the other way round. */
const QUIET_COUNTS = 0.7;
/** An opening stays shut below the first, and more in what may be a pause; `CLEARLY` more and it is all meant. */
const BARELY = 0.04;
const BARELY_IN_PAUSE = 0.2;
const CLEARLY = 0.15;
/** By how much the network, when it hears a likely pause, says less than the mouth opens if it is none. */
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
 * Visemes that look alike stand together against the others: many consonants are told apart less surely than that it is one of them.
 * Pressed lips were decided before.
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
 * How far the mouth opens. The network's own number is a mean of an open and a shut mouth where it is in doubt: what hardly opens then is
 * music or noise and stays shut, what opens well is speech and opens as speech does.
 */
function spoken(opening: number, quiet: number): number {
  const over = opening - BARELY - BARELY_IN_PAUSE * quiet;
  const meant = Math.max(0, Math.min(1, over / CLEARLY));
  return Math.min(1, meant * opening * (1 + HELD_BACK * quiet));
}

function likeliest(judgement: Float64Array): Viseme {
  let best = 0;
  let most = -1;
  for (const alike of ALIKE) {
    let sum = 0;
    for (const viseme of alike) sum += judgement[viseme]!;
    if (alike[0] === QUIET) sum *= QUIET_COUNTS;
    if (sum <= most) continue;
    most = sum;
    best = alike[0]!;
    for (const viseme of alike) if (judgement[viseme]! > judgement[best]!) best = viseme;
  }
  return VISEMES[best]!;
}
