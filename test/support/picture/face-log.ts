/** A picture that a viewer saw: when, by the monotonic clock, and of which participant. */
export type Sight = { atMs: number; sid: string };

/** What one viewer had of one identity over time. A worker that takes a face over is another participant of the same identity. */
export class FaceLog {
  readonly #now: () => number;
  /** Video tracks that the viewer is subscribed to, by their participant. */
  readonly #shown = new Map<string, string>();
  readonly #present = new Set<string>();
  /** Every picture, in order. */
  readonly sights: Sight[] = [];
  /** How many faces there were after each change: participants, and video tracks. */
  readonly counts: { present: number; shown: number }[] = [];
  /** Who came and went, in order. */
  readonly changes: ('came' | 'left')[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  came(sid: string): void {
    this.#present.add(sid);
    this.changes.push('came');
    this.#count();
  }

  left(sid: string): void {
    this.#present.delete(sid);
    this.changes.push('left');
    this.#count();
  }

  subscribed(trackSid: string, sid: string): void {
    this.#shown.set(trackSid, sid);
    this.#count();
  }

  unsubscribed(trackSid: string): void {
    this.#shown.delete(trackSid);
    this.#count();
  }

  /** A picture of a track that the viewer is not subscribed to any more was still on its way to it: nobody is shown it. */
  saw(trackSid: string): void {
    const sid = this.#shown.get(trackSid);
    if (sid !== undefined) this.sights.push({ atMs: this.#now(), sid });
  }

  /** The participant of the last picture; null before the first. */
  get current(): string | null {
    return this.sights.at(-1)?.sid ?? null;
  }

  /** The first picture of somebody else than `sid`. */
  firstOfOther(sid: string): Sight | undefined {
    return this.sights.find((sight) => sight.sid !== sid);
  }

  /** The longest time without a picture from `fromMs` on. */
  longestGapMs(fromMs: number): number {
    const times = this.sights.map(({ atMs }) => atMs);
    const first = times.findIndex((atMs) => atMs > fromMs);
    let longest = 0;
    for (let i = Math.max(1, first); i < times.length; i++)
      longest = Math.max(longest, times[i]! - times[i - 1]!);
    return longest;
  }

  #count(): void {
    this.counts.push({ present: this.#present.size, shown: this.#shown.size });
  }
}
