type Sum = { ms: number; frames: number };

/** Mean delay of video behind audio of each session that speaks, for load reports. */
export class AvOffsets {
  readonly #sums = new Map<string, Sum>();

  /** Counts a frame that was sent `offsetMs` later than its audio requires. */
  count(sessionId: string, offsetMs: number): void {
    const sum = this.#sums.get(sessionId);
    if (!sum) return void this.#sums.set(sessionId, { ms: offsetMs, frames: 1 });
    sum.ms += offsetMs;
    sum.frames += 1;
  }

  /** Means since the last call, rounded to 0.1 ms, one for each session that spoke. */
  take(): number[] {
    const means = [...this.#sums.values()].map(({ ms, frames }) => ms / frames);
    this.#sums.clear();
    return means.map((mean) => Math.round(10 * mean) / 10);
  }
}
