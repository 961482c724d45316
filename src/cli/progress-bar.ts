import type { CliContext } from './cli-context.ts';

const WIDTH = 30;
const TITLE_WIDTH = 9;
/** For people who read the output elsewhere: one line for each step of this size. */
const STEP = 25;

/** A bar that moves on a terminal, and some lines otherwise. With --json, nothing. */
export class ProgressBar {
  readonly #context: CliContext;
  readonly #title: string;
  #shown = -1;

  constructor(context: CliContext, title: string) {
    this.#context = context;
    this.#title = title;
  }

  /** `share`: 0 to 1. */
  update(share: number): void {
    const { stderr, options } = this.#context;
    const percent = Math.floor(Math.min(1, Math.max(0, share)) * 100);
    if (options.json || percent === this.#shown) return;
    if (stderr.isTTY) {
      const done = Math.round((percent / 100) * WIDTH);
      const bar = `${'█'.repeat(done)}${'░'.repeat(WIDTH - done)}`;
      stderr.write(`\r${this.#title.padEnd(TITLE_WIDTH)} ${bar} ${String(percent).padStart(3)} %`);
    } else if (this.#shown < 0 || Math.floor(percent / STEP) > Math.floor(this.#shown / STEP)) {
      stderr.write(`${this.#title}: ${percent} %\n`);
    }
    this.#shown = percent;
  }

  /** Ends the line. */
  end(): void {
    const { stderr, options } = this.#context;
    if (!options.json && stderr.isTTY && this.#shown >= 0) stderr.write('\n');
  }
}
