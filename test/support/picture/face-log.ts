/** A video frame that a viewer received: monotonic time and participant. */
export type Sight = { atMs: number; sid: string };

/** The frames that one viewer received from one identity. A worker that takes over is another participant with the same identity. */
export class FaceLog {
  readonly #now: () => number;
  /** Subscribed video tracks by participant. */
  readonly #shown = new Map<string, string>();
  readonly #present = new Set<string>();
  /** Every frame, in order. */
  readonly sights: Sight[] = [];
  /** Numbers of participants and of video tracks after each change. */
  readonly counts: { present: number; shown: number }[] = [];
  /** Joins and leaves, in order. */
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

  /** Ignores frames in flight of a track that is no longer subscribed; no viewer would see them. */
  saw(trackSid: string): void {
    const sid = this.#shown.get(trackSid);
    if (sid !== undefined) this.sights.push({ atMs: this.#now(), sid });
  }

  /** The participant of the last frame; null before the first. */
  get current(): string | null {
    return this.sights.at(-1)?.sid ?? null;
  }

  /** The first frame of another participant than `sid`. */
  firstOfOther(sid: string): Sight | undefined {
    return this.sights.find((sight) => sight.sid !== sid);
  }

  /** The longest time without a frame since `fromMs`. */
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
