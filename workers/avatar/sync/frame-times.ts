/** Frame timing over all sessions of this process, for load reports. */
export class FrameTimes {
  #shownFrames = 0;
  #dueFrames = 0;
  /** Nominal duration of the due frames. */
  #seconds = 0;

  /** A session of `fps` showed a frame after `missed` frames that it did not show. */
  count(missed: number, fps: number): void {
    this.#shownFrames += 1;
    this.#dueFrames += 1 + missed;
    this.#seconds += (1 + missed) / fps;
  }

  /**
   * Since the last call: the share of missed frames, 0..1, and the mean frame rate of a session,
   * rounded to 0.01.
   */
  take(): { lateFrames: number; frameRate: number | null } {
    const [shownFrames, dueFrames, seconds] = [this.#shownFrames, this.#dueFrames, this.#seconds];
    this.#shownFrames = 0;
    this.#dueFrames = 0;
    this.#seconds = 0;
    if (dueFrames === 0) return { lateFrames: 0, frameRate: null };
    const frameRate = Math.round((100 * shownFrames) / seconds) / 100;
    return { lateFrames: (dueFrames - shownFrames) / dueFrames, frameRate };
  }
}
