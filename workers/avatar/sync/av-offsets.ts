type Sum = { ms: number; pictures: number };

/** How far picture and sound of each session that speaks are apart: the control plane asks for it. */
export class AvOffsets {
  readonly #sums = new Map<string, Sum>();

  /** A picture of the session left so much later than its sound wanted it, in milliseconds. */
  count(sessionId: string, offsetMs: number): void {
    const sum = this.#sums.get(sessionId);
    if (!sum) return void this.#sums.set(sessionId, { ms: offsetMs, pictures: 1 });
    sum.ms += offsetMs;
    sum.pictures += 1;
  }

  /** Since the last call, on average, to a tenth of a millisecond: one of each session that spoke. */
  take(): number[] {
    const means = [...this.#sums.values()].map(({ ms, pictures }) => ms / pictures);
    this.#sums.clear();
    return means.map((mean) => Math.round(10 * mean) / 10);
  }
}
