/** A video frame that a viewer received: monotonic time and participant. */
export type Sight = { atMs: number; sid: string };

/** Frames that a viewer received from one identity, which several workers may have in turn. */
export class FaceLog {
  readonly #now: () => number;
  /** Subscribed video tracks by participant. */
  readonly #tracks = new Map<string, string>();
  readonly #participants = new Set<string>();
  /** Every frame, in order. */
  readonly sights: Sight[] = [];
  /** Numbers of participants and of video tracks after each change. */
  readonly counts: { participants: number; tracks: number }[] = [];
  /** Joins and leaves, in order. */
  readonly changes: ('came' | 'left')[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  came(sid: string): void {
    this.#participants.add(sid);
    this.changes.push('came');
    this.#count();
  }

  left(sid: string): void {
    this.#participants.delete(sid);
    this.changes.push('left');
    this.#count();
  }

  subscribed(trackSid: string, sid: string): void {
    this.#tracks.set(trackSid, sid);
    this.#count();
  }

  unsubscribed(trackSid: string): void {
    this.#tracks.delete(trackSid);
    this.#count();
  }

  /** Ignores frames in flight of a track that is no longer subscribed; no viewer would see them. */
  saw(trackSid: string): void {
    const sid = this.#tracks.get(trackSid);
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
    const firstIndex = times.findIndex((atMs) => atMs > fromMs);
    let longestMs = 0;
    for (let i = Math.max(1, firstIndex); i < times.length; i++)
      longestMs = Math.max(longestMs, times[i]! - times[i - 1]!);
    return longestMs;
  }

  #count(): void {
    this.counts.push({ participants: this.#participants.size, tracks: this.#tracks.size });
  }
}
