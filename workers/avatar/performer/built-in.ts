import type { Expression } from '../../bundle/expressions.ts';
import type { Rectangle } from '../../bundle/format.ts';
import type { Bundle } from '../../bundle/open.ts';
import { LipSync } from '../lipsync/mouth-track.ts';
import { type Mouth, RESTING_MOUTH } from '../../bundle/visemes.ts';
import { merged } from './areas.ts';
import { seedOf } from './chance.ts';
import { type FaceMemory, memoryOf, type Planes } from './face.ts';
import { expressionOf } from './feelings.ts';
import { lifeAt, type Part } from './life.ts';
import { type Look, Looks, mixed, mouthBetween } from './looks.ts';
import type { Performer } from './performer.ts';
import { fieldArguments, type Pose, travel } from './pose.ts';

/** What the performer asks of lip-sync. */
export type MouthTrack = Pick<LipSync, 'hear' | 'hush' | 'mouthAt' | 'loudnessAt'>;

/** How fast a face gets into speaking and out of it. */
const RISING_MS = 180;
const FALLING_MS = 900;
/** And into hearing somebody out, and out of it. */
const TURNING_MS = 500;
/** Agents say that they listen also when nobody speaks: after this long a face attends less. */
const ATTENTIVE_MS = 10_000;
const PATIENT = 0.3;
/** From one expression to another. */
const CHANGING_MS = 320;
/** Pixels of 512: a head that has moved less is left where it was shown, and only what changes in the face is drawn. */
const HELD_PX = 0.25;

/**
 * Composes frames from a bundle: the mouth that lip-sync asks for and the eyes that life asks for are fitted into this session's copy of the face,
 * and the whole is turned as life holds the head. It owns its lip-sync; the bundle belongs to whoever opened it and must stay open until `close`.
 */
export class BuiltInPerformer implements Performer {
  readonly #memory: FaceMemory;
  /** Of each expression that the bundle has. */
  readonly #looks: ReadonlyMap<Expression, Looks>;
  readonly #planes: Planes;
  readonly #seed: number;
  readonly #mouth: MouthTrack;
  #fitted: Look[] = [];
  #lastMouth: Mouth = RESTING_MOUTH;
  /** What the last picture shows, and the buffer that holds it. */
  #pose: Pose | null = null;
  #frame: Uint8Array | null = null;
  #part: Part = { speech: 0, listening: 0 };
  #isListening = false;
  #listeningMs = 0;
  #expression: Expression = 'neutral';
  #before: Expression = 'neutral';
  /** How much of the way from `before` to `expression` is done, 0..1. */
  #changed = 1;
  #lastMs: number | null = null;
  #isClosed = false;

  /** Faces of different seeds are never in lock-step. `mouth` is for tests and tools that bring a mouth of their own. */
  constructor(
    { face }: Bundle,
    { seed, mouth = new LipSync() }: { seed: string; mouth?: MouthTrack },
  ) {
    this.#memory = memoryOf(face);
    const expressions = new Set(face.mouths.map(({ expression }) => expression));
    this.#looks = new Map(
      [...expressions].map((each) => [each, new Looks(face, this.#memory, each)] as const),
    );
    this.#planes = this.#memory.take();
    this.#seed = seedOf(seed);
    this.#mouth = mouth;
  }

  hear(samples: Int16Array, atMs: number) {
    this.#mouth.hear(samples, atMs);
  }

  hush(atMs: number) {
    this.#mouth.hush(atMs);
  }

  attend(isListening: boolean) {
    this.#isListening = isListening;
    this.#listeningMs = 0;
  }

  feel(emotion: string) {
    const expression = expressionOf(emotion);
    if (!expression || !this.#looks.has(expression) || expression === this.#expression) return;
    // One that is hardly there yet is left out: three faces at once would be a blur.
    if (this.#changed > 0.5) this.#before = this.#expression;
    this.#expression = expression;
    this.#changed = 0;
  }

  draw(atMs: number, frame: Uint8Array): boolean {
    if (this.#isClosed) throw new Error('the performer is closed');
    if (atMs === this.#lastMs) return false;
    const passedMs = this.#lastMs === null ? 0 : Math.max(0, atMs - this.#lastMs);
    this.#lastMs = atMs;
    this.#goOn(atMs, passedMs);
    const life = lifeAt(this.#seed, atMs, this.#part);
    const looks = this.#looksOf((expression) => [
      ...expression.ofEyes(life),
      ...expression.ofMouth(this.#lastMouth),
    ]);
    const before = frame === this.#frame ? this.#pose : null;
    const isHeld = before !== null && travel(before, life.pose) < HELD_PX;
    const pose = isHeld ? before : life.pose;
    const changed = this.#fit(looks);
    if (isHeld && changed.length === 0) return false;

    this.#memory.warp.field(...fieldArguments(pose));
    if (isHeld) for (const area of changed) this.#memory.draw(this.#planes, frame, area);
    else this.#memory.draw(this.#planes, frame);
    this.#pose = pose;
    this.#frame = frame;
    return true;
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#memory.giveBack(this.#planes);
  }

  /** Regions overlap, so all that is fitted comes out before anything new goes in. Returns where the picture may change by it. */
  #fit(looks: Look[]): Rectangle[] {
    const changed = [
      ...this.#fitted.filter((look) => isNew(look, looks)),
      ...looks.filter((look) => isNew(look, this.#fitted)),
    ];
    if (changed.length === 0) return [];
    for (const { fitted } of this.#fitted) this.#memory.restore(this.#planes, fitted.area);
    for (const { fitted, weight } of looks) this.#memory.add(this.#planes, fitted, weight);
    this.#fitted = looks;
    return merged(changed.map(({ fitted }) => this.#memory.reachOf(fitted.area)));
  }

  #goOn(atMs: number, passedMs: number) {
    this.#lastMouth = mouthBetween(this.#lastMouth, this.#mouth.mouthAt(atMs), passedMs);
    this.#changed = Math.min(1, this.#changed + passedMs / CHANGING_MS);
    const { speech, listening } = this.#part;
    const loudness = this.#mouth.loudnessAt(atMs);
    const pace = loudness > speech ? RISING_MS : FALLING_MS;
    this.#listeningMs += passedMs;
    const attention = this.#listeningMs < ATTENTIVE_MS ? 1 : PATIENT;
    const heard = this.#isListening ? attention : 0;
    this.#part = {
      speech: eased(speech, loudness, passedMs / pace),
      listening: eased(listening, heard, passedMs / TURNING_MS),
    };
  }

  #looksOf(find: (expression: Looks) => Look[]): Look[] {
    const looks = find(this.#looks.get(this.#expression)!);
    if (this.#changed === 1) return looks;
    return mixed(find(this.#looks.get(this.#before)!), looks, this.#changed);
  }
}

const eased = (from: number, to: number, share: number) =>
  from + (to - from) * (1 - Math.exp(-share));

const isNew = ({ fitted, weight }: Look, among: Look[]) =>
  fitted.area.width > 0 &&
  !among.some((other) => other.fitted === fitted && other.weight === weight);
