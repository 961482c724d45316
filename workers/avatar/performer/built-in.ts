import type { Bundle } from '../bundle/open.ts';
import { LipSync } from '../lipsync/mouth-track.ts';
import { type Mouth, RESTING_MOUTH } from '../lipsync/visemes.ts';
import { seedOf } from './chance.ts';
import { type FaceMemory, memoryOf, type Planes } from './face.ts';
import { lifeAt } from './life.ts';
import { type Look, Looks, mouthBetween } from './looks.ts';
import type { Performer } from './performer.ts';
import { fieldArguments } from './pose.ts';

/** What the performer asks of lip-sync. */
export type MouthTrack = Pick<LipSync, 'hear' | 'hush' | 'mouthAt' | 'loudnessAt'>;

/** How fast a face gets into speaking and out of it. */
const RISING_MS = 180;
const FALLING_MS = 900;

/**
 * Composes frames from a bundle: the mouth that lip-sync asks for and the eyes that life asks for are fitted into this session's copy of the face,
 * and the whole is turned as life holds the head. It owns its lip-sync; the bundle belongs to whoever opened it and must stay open until `close`.
 */
export class BuiltInPerformer implements Performer {
  readonly #memory: FaceMemory;
  readonly #looks: Looks;
  readonly #planes: Planes;
  readonly #seed: number;
  readonly #mouth: MouthTrack;
  #fitted: Look[] = [];
  #lastMouth: Mouth = RESTING_MOUTH;
  /** Pose and looks of the last picture. */
  #shown = '';
  #speech = 0;
  #lastMs: number | null = null;
  #isClosed = false;

  /** Faces of different seeds are never in lock-step. `mouth` is for tests and tools that bring a mouth of their own. */
  constructor(
    { face }: Bundle,
    { seed, mouth = new LipSync() }: { seed: string; mouth?: MouthTrack },
  ) {
    this.#memory = memoryOf(face);
    this.#looks = new Looks(face, this.#memory);
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

  draw(atMs: number, frame: Uint8Array): boolean {
    if (this.#isClosed) throw new Error('the performer is closed');
    if (atMs === this.#lastMs) return false;
    const life = lifeAt(this.#seed, atMs, this.#speechAt(atMs));
    const looks = [...this.#looks.ofEyes(life), ...this.#mouthAt(atMs)];
    this.#lastMs = atMs;
    const turned = fieldArguments(life.pose);
    const isRefitted = !same(looks, this.#fitted);
    const shown = turned.join();
    if (!isRefitted && shown === this.#shown) return false;

    if (isRefitted) this.#fit(looks);
    this.#memory.warp.field(...turned);
    this.#memory.draw(this.#planes, frame);
    this.#shown = shown;
    return true;
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#memory.giveBack(this.#planes);
  }

  /** Regions overlap, so all that is fitted comes out before anything new goes in. */
  #fit(looks: Look[]) {
    for (const { fitted } of this.#fitted) this.#memory.restore(this.#planes, fitted.area);
    for (const { fitted, weight } of looks) this.#memory.add(this.#planes, fitted, weight);
    this.#fitted = looks;
  }

  #mouthAt(atMs: number): Look[] {
    const mouth = mouthBetween(this.#lastMouth, this.#mouth.mouthAt(atMs));
    this.#lastMouth = mouth;
    return this.#looks.ofMouth(mouth);
  }

  #speechAt(atMs: number): number {
    const passed = this.#lastMs === null ? 0 : Math.max(0, atMs - this.#lastMs);
    const loudness = this.#mouth.loudnessAt(atMs);
    const pace = loudness > this.#speech ? RISING_MS : FALLING_MS;
    this.#speech += (loudness - this.#speech) * (1 - Math.exp(-passed / pace));
    return this.#speech;
  }
}

function same(some: Look[], others: Look[]): boolean {
  return (
    some.length === others.length &&
    some.every((look, i) => look.fitted === others[i]?.fitted && look.weight === others[i]?.weight)
  );
}
