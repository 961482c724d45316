/** Frame timing over all sessions of this process, for load reports. */
export class FrameTimes {
  #shown = 0;
  #due = 0;
  /** Nominal duration of the due frames. */
  #seconds = 0;

  /** A session of `fps` showed a frame after `missed` frames that it did not show. */
  count(missed: number, fps: number): void {
    this.#shown += 1;
    this.#due += 1 + missed;
    this.#seconds += (1 + missed) / fps;
  }

  /**
   * Since the last call: the share of missed frames, 0..1, and the mean frame rate of a session,
   * rounded to 0.01.
   */
  take(): { lateFrames: number; frameRate: number | null } {
    const [shown, due, seconds] = [this.#shown, this.#due, this.#seconds];
    this.#shown = 0;
    this.#due = 0;
    this.#seconds = 0;
    if (due === 0) return { lateFrames: 0, frameRate: null };
    const frameRate = Math.round((100 * shown) / seconds) / 100;
    return { lateFrames: (due - shown) / due, frameRate };
  }
}
