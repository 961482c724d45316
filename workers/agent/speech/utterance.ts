import type { Spoken } from './heard.ts';

/** When the user asked, and what is known of how that was understood; times by the clock's `elapsed`. */
export type Asked = { at: number; transcriptMs: number | null };

/** One thing that the agent says, from its first word until it was heard or cut. */
export class Utterance {
  /** Null: it answers nobody. */
  readonly asked: Asked | null;
  readonly spoken: Spoken[] = [];
  firstTextAt: number | null = null;
  firstSoundAt: number | null = null;
  /** By the face's word. */
  startedAt: number | null = null;
  /** How far it was heard; null: it is not over. */
  heardSeconds: number | null = null;
  /** It was not heard to its end. */
  isCut = false;

  constructor(asked: Asked | null) {
    this.asked = asked;
  }

  get seconds(): number {
    return this.spoken.reduce((sum, { seconds }) => sum + seconds, 0);
  }
}
