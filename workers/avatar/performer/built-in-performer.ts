import type { Framing } from '#protocol/pictures/frames.ts';
import type { Expression } from '../../bundle/expressions.ts';
import type { Bundle, Face } from '../../bundle/open-bundle.ts';
import { LipSync } from '../lipsync/mouth-track.ts';
import { type Mouth, RESTING_MOUTH } from '../../bundle/visemes.ts';
import { type Backdrop, OWN_ROOM } from './backdrop.ts';
import { CameraMove } from './camera-move.ts';
import { seedOf } from './chance.ts';
import { expressionOf } from './feelings.ts';
import { type Activity, type Life, lifeAt } from './life.ts';
import { type Look, mixed, mouthBetween } from './looks.ts';
import type { Movement, Performer } from './performer.ts';
import { type Pose, STRAIGHT, travel } from './pose.ts';
import { ShownFace } from './shown-face.ts';
import { isSameView, type View, viewOf, wholeView } from './view.ts';

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
/**
 * In a face of 512 pixels: no head that moved by less is drawn again, and no part of the frame.
 */
const HELD_PX = 0.25;

/** Frame, framing and background of a session. Absent parts as in `Video`. */
export type Scene = {
  width: number;
  height: number;
  framing?: Framing | undefined;
  backdrop?: Backdrop | undefined;
};

export type PerformerOptions = {
  /** Performers with different seeds move differently. */
  seed: string;
  /** Absent: the bundle's whole picture in its own room. */
  scene?: Scene;
  /** Tests and tools may pass their own. */
  mouth?: MouthTrack;
};

/**
 * Composes frames from a bundle: fits the mouth from lip-sync and the animated eyes into this
 * session's copy of the face, then warps it to the animated head pose. Owns its lip-sync, but not
 * the bundle, which must stay open until `close`.
 */
export class BuiltInPerformer implements Performer {
  readonly #face: Face;
  readonly #seed: number;
  readonly #mouth: MouthTrack;
  #shown: ShownFace;
  #backdrop: Backdrop;
  #move: CameraMove | null = null;
  #lastMouth: Mouth = RESTING_MOUTH;
  /** Pose and buffer of the last frame. A null buffer: the next frame is drawn as a whole. */
  #pose: Pose = STRAIGHT;
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

  constructor({ face }: Bundle, { seed, scene, mouth = new LipSync() }: PerformerOptions) {
    const { manifest } = face;
    this.#face = face;
    this.#backdrop = scene?.backdrop ?? OWN_ROOM;
    const view = scene ? viewOf(manifest, scene, scene.framing) : wholeView(manifest);
    this.#shown = new ShownFace(face, view);
    this.#shown.setBackdrop(this.#backdrop);
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
    if (!expression || !this.#shown.looksOf(expression) || expression === this.#expression) return;
    // An expression less than half shown is skipped: three blended expressions look blurred.
    if (this.#change > 0.5) this.#previousExpression = this.#expression;
    this.#expression = expression;
    this.#change = 0;
  }

  move(movement: Movement) {
    this.#moves = movement;
  }

  frame(framing: Framing) {
    const target = viewOf(this.#face.manifest, this.#shown.view, framing);
    if (isSameView(target, this.#shown.view)) return;
    const from = this.#move?.view ?? this.#shown.view;
    this.#endMove();
    this.#shown.close();
    this.#shown = new ShownFace(this.#face, target);
    this.#shown.setBackdrop(this.#backdrop);
    this.#beginMove(from);
  }

  place(backdrop: Backdrop) {
    this.#backdrop = backdrop;
    this.#shown.setBackdrop(backdrop);
    this.#frame = null;
    const from = this.#move?.view;
    if (from) this.#beginMove(from);
  }

  draw(atMs: number, frame: Uint8Array): boolean {
    if (this.#isClosed) throw new Error('the performer is closed');
    if (atMs === this.#lastMs) return false;
    const passedMs = this.#lastMs === null ? 0 : Math.max(0, atMs - this.#lastMs);
    this.#lastMs = atMs;
    this.#animate(atMs, passedMs);
    const life = this.#live(atMs, passedMs);
    this.#move?.advance(passedMs);
    if (this.#move?.isOver) this.#endMove();
    if (this.#move) return this.#drawMoving(this.#move, life, frame);

    const areas = this.#shown.fit(this.#looksOf(this.#shown, life));
    const hasOpacity = this.#isTransparent;
    if (frame === this.#frame) {
      const isHeld = travel(this.#pose, life.pose) < HELD_PX;
      if (isHeld && areas.length === 0) return false;
      if (!isHeld) this.#pose = life.pose;
      const heldPx = isHeld ? null : HELD_PX * this.#shown.zoom;
      return this.#shown.redraw(this.#pose, frame, { areas, heldPx, hasOpacity });
    }
    const { pose } = life;
    this.#pose = pose;
    if (hasOpacity) frame.fill(128);
    this.#shown.draw(pose, frame, hasOpacity);
    this.#frame = frame;
    return true;
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#endMove();
    this.#shown.close();
  }

  get #isTransparent(): boolean {
    return this.#backdrop.kind === 'transparent';
  }

  #beginMove(from: View) {
    this.#endMove();
    const parts = { face: this.#face, from, to: this.#shown, backdrop: this.#backdrop };
    this.#move = new CameraMove(parts);
  }

  /** The next frame is drawn as a whole. */
  #endMove() {
    this.#move?.close();
    this.#move = null;
    this.#frame = null;
  }

  #drawMoving(move: CameraMove, { pose, ...life }: Life, frame: Uint8Array): boolean {
    move.around.fit(this.#looksOf(move.around, { pose, ...life }));
    move.around.draw(pose, move.picture, move.needsOpacity);
    move.cut(frame, this.#isTransparent);
    this.#pose = pose;
    return true;
  }

  #live(atMs: number, passedMs: number): Life {
    if (this.#moves === 'all') return lifeAt(this.#seed, atMs - this.#heldMs, this.#activity);
    this.#heldMs += passedMs;
    return { pose: this.#pose, lids: 0, gaze: 0, brows: 0 };
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

  #looksOf(face: ShownFace, life: Life): Look[] {
    const find = (expression: Expression) => {
      const looks = face.looksOf(expression)!;
      return [...looks.ofEyes(life), ...looks.ofMouth(this.#lastMouth)];
    };
    const looks = find(this.#expression);
    if (this.#change === 1) return looks;
    return mixed(find(this.#previousExpression), looks, this.#change);
  }
}

const eased = (from: number, to: number, share: number) =>
  from + (to - from) * (1 - Math.exp(-share));
