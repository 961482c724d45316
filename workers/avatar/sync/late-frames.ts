/** How well this process keeps time, over all its sessions: the control plane asks for it. */
export class LateFrames {
  #due = 0;
  #late = 0;

  /** A frame was shown; `missed` before it were not. */
  count(missed: number): void {
    this.#due += 1 + missed;
    this.#late += missed;
  }

  /** Share of frames that were missed since the last call, 0..1. */
  takeShare(): number {
    const share = this.#due === 0 ? 0 : this.#late / this.#due;
    this.#due = 0;
    this.#late = 0;
    return share;
  }
}
