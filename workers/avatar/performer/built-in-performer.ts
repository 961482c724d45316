import type { Expression } from '../../bundle/expressions.ts';
import type { Rectangle } from '../../bundle/format.ts';
import type { Bundle } from '../../bundle/open-bundle.ts';
import { LipSync } from '../lipsync/mouth-track.ts';
import { type Mouth, RESTING_MOUTH } from '../../bundle/visemes.ts';
import { merged } from './areas.ts';
import { seedOf } from './chance.ts';
import { type FaceMemory, memoryOf } from './face.ts';
import { expressionOf } from './feelings.ts';
import { type Activity, type Life, lifeAt } from './life.ts';
import { type Look, Looks, mixed, mouthBetween } from './looks.ts';
import type { Movement, Performer } from './performer.ts';
import type { Planes } from './planes.ts';
import { fieldArguments, type Pose, STRAIGHT, travel } from './pose.ts';

/** The part of lip-sync that the performer uses. */
export type MouthTrack = Pick<LipSync, 'hear' | 'hush' | 'mouthAt' | 'loudnessAt'>;

/** Time constants of the movements while speaking. */
const SPEECH_ATTACK_MS = 180;
const SPEECH_DECAY_MS = 900;
/** Time constant of the movements while listening. */
const LISTENING_MS = 500;
/**
 * Agents are also in the listening state when the user is silent, so attention drops after this
 * long.
 */
const ATTENTIVE_MS = 10_000;
const REDUCED_ATTENTION = 0.3;
const EXPRESSION_CHANGE_MS = 320;
/** For a size of 512: a smaller head movement is skipped, and only changed regions are drawn. */
const HELD_PX = 0.25;

/**
 * Composes frames from a bundle: fits the mouth from lip-sync and the animated eyes into this
 * session's copy of the face, then warps it to the animated head pose. Owns its lip-sync, but not
 * the bundle, which must stay open until `close`.
 */
export class BuiltInPerformer implements Performer {
  readonly #memory: FaceMemory;
  /** By expression in the bundle. */
  readonly #looks: ReadonlyMap<Expression, Looks>;
  readonly #planes: Planes;
  readonly #seed: number;
  readonly #mouth: MouthTrack;
  #fitted: Look[] = [];
  #lastMouth: Mouth = RESTING_MOUTH;
  /** The last frame: its pose, and the buffer that contains it. */
  #pose: Pose | null = null;
  #frame: Uint8Array | null = null;
  #activity: Activity = { speech: 0, listening: 0 };
  #isListening = false;
  #listeningMs = 0;
  #expression: Expression = 'neutral';
  #previousExpression: Expression = 'neutral';
  /** Progress of the change from the previous expression, 0..1. */
  #change = 1;
  #moves: Movement = 'all';
  /** Time in which the head and the eyes did not move: they go on where they stopped. */
  #heldMs = 0;
  #lastMs: number | null = null;
  #isClosed = false;

  /**
   * Performers with different seeds move differently. Tests and tools may pass their own `mouth`.
   */
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
    if (this.#moves !== 'nothing') this.#mouth.hear(samples, atMs);
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
    // An expression less than half shown is skipped: three blended expressions look blurred.
    if (this.#change > 0.5) this.#previousExpression = this.#expression;
    this.#expression = expression;
    this.#change = 0;
  }

  move(movement: Movement) {
    this.#moves = movement;
  }

  draw(atMs: number, frame: Uint8Array): boolean {
    if (this.#isClosed) throw new Error('the performer is closed');
    if (atMs === this.#lastMs) return false;
    const passedMs = this.#lastMs === null ? 0 : Math.max(0, atMs - this.#lastMs);
    this.#lastMs = atMs;
    this.#animate(atMs, passedMs);
    const life = this.#live(atMs, passedMs);
    const looks = this.#looksOf((expression) => [
      ...expression.ofEyes(life),
      ...expression.ofMouth(this.#lastMouth),
    ]);
    const previousPose = frame === this.#frame ? this.#pose : null;
    const isHeld = previousPose !== null && travel(previousPose, life.pose) < HELD_PX;
    const pose = isHeld ? previousPose : life.pose;
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

  /**
   * Removes all fitted regions before it fits the new ones, because regions overlap. Returns the
   * areas of the frame that may change.
   */
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

  #live(atMs: number, passedMs: number): Life {
    if (this.#moves === 'all') return lifeAt(this.#seed, atMs - this.#heldMs, this.#activity);
    this.#heldMs += passedMs;
    return { pose: this.#pose ?? STRAIGHT, lids: 0, gaze: 0, brows: 0 };
  }

  #animate(atMs: number, passedMs: number) {
    const mouth = this.#moves === 'nothing' ? RESTING_MOUTH : this.#mouth.mouthAt(atMs);
    this.#lastMouth = mouthBetween(this.#lastMouth, mouth, passedMs);
    this.#change = Math.min(1, this.#change + passedMs / EXPRESSION_CHANGE_MS);
    const { speech, listening } = this.#activity;
    const loudness = this.#mouth.loudnessAt(atMs);
    const pace = loudness > speech ? SPEECH_ATTACK_MS : SPEECH_DECAY_MS;
    this.#listeningMs += passedMs;
    const attention = this.#listeningMs < ATTENTIVE_MS ? 1 : REDUCED_ATTENTION;
    const target = this.#isListening ? attention : 0;
    this.#activity = {
      speech: eased(speech, loudness, passedMs / pace),
      listening: eased(listening, target, passedMs / LISTENING_MS),
    };
  }

  #looksOf(find: (expression: Looks) => Look[]): Look[] {
    const looks = find(this.#looks.get(this.#expression)!);
    if (this.#change === 1) return looks;
    return mixed(find(this.#looks.get(this.#previousExpression)!), looks, this.#change);
  }
}

const eased = (from: number, to: number, share: number) =>
  from + (to - from) * (1 - Math.exp(-share));

const isNew = ({ fitted, weight }: Look, among: Look[]) =>
  fitted.area.width > 0 && !among.some((look) => look.fitted === fitted && look.weight === weight);
