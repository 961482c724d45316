import type { Finished } from '../../bench/rooms/agent.ts';

type Report = Pick<Finished, 'playback_position' | 'interrupted'>;
type Segment = { number: number; seconds: number; expected: 'whole' | 'perhaps cut' };

/**
 * Matches an agent's segments with playback reports, as agents do: a report closes the oldest open
 * segment. While none is open, a worker that takes over may send one empty report; agents ignore
 * it.
 */
export class SegmentLedger {
  readonly problems: string[] = [];
  readonly #open: Segment[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get isSettled(): boolean {
    return this.#open.length === 0;
  }

  /** Returns the segment's number. */
  said(seconds: number, expected: Segment['expected']): number {
    this.#count += 1;
    this.#open.push({ number: this.#count, seconds, expected });
    return this.#count;
  }

  finished({ playback_position: position, interrupted }: Report): void {
    const segment = this.#open.shift();
    const report = `${position} s${interrupted ? ', interrupted' : ''}`;
    if (!segment) {
      if (position !== 0 || !interrupted)
        this.problems.push(`reported without a segment: ${report}`);
      return;
    }
    const { number, seconds, expected } = segment;
    const isWhole = !interrupted && Math.abs(position - seconds) < 0.01;
    const isCut = expected === 'perhaps cut' && interrupted && position <= seconds;
    if (!isWhole && !isCut)
      this.problems.push(`segment ${number} of ${seconds} s is reported as ${report}`);
  }
}
