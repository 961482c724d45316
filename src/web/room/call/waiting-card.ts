import type { Phase } from '../../call/state/call-state.ts';
import { button } from '../../call/view/button.ts';
import { element, setText } from '../../call/view/dom.ts';

type WaitingPhase = Extract<Phase, { type: 'waiting' }>;

/** Counts down to the next try. */
export class WaitingCard {
  readonly node: HTMLElement;
  readonly #words = element('p');
  #phase: WaitingPhase | null = null;
  #remainingSeconds = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(onCancel: () => void) {
    this.node = element(
      'div',
      { class: 'waiting-card' },
      element('h2', {}, 'All lines are busy'),
      this.#words,
      button('Stop waiting', onCancel),
    );
  }

  show(phase: Phase): void {
    if (phase === this.#phase) return;
    clearInterval(this.#timer);
    this.#phase = phase.type === 'waiting' ? phase : null;
    if (!this.#phase) return;
    this.#remainingSeconds = this.#phase.retryInSeconds;
    this.#timer = setInterval(() => {
      this.#remainingSeconds = Math.max(0, this.#remainingSeconds - 1);
      this.#showWords();
    }, 1000);
    this.#showWords();
  }

  #showWords(): void {
    const tries = this.#phase?.tries ?? 0;
    const remaining = this.#remainingSeconds;
    const retry = remaining > 0 ? `Next try in ${remaining} s.` : 'Trying again.';
    const count = tries > 1 ? ` Tried ${tries} times so far.` : '';
    setText(this.#words, `You will be connected as soon as a line is free. ${retry}${count}`);
  }
}
