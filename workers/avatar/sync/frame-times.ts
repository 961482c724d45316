/** How well this process keeps time, over all its sessions: the control plane asks for it. */
export class FrameTimes {
  #shown = 0;
  #due = 0;
  /** How long the frames that were due should have lasted. */
  #seconds = 0;

  /** A frame of a session of `fps` was shown; `missed` before it were not. */
  count(missed: number, fps: number): void {
    this.#shown += 1;
    this.#due += 1 + missed;
    this.#seconds += (1 + missed) / fps;
  }

  /** Since the last call: the share of frames that were missed, 0..1, and how many a second each session has shown, to two digits. */
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
