import type { Phase } from '../../call/state/call-state.ts';
import { button } from '../../call/view/button.ts';
import { whenText } from '../../call/texts/when-text.ts';
import { element, setText } from '../../call/view/dom.ts';
import { PlaceInLine } from '../../call/view/place-in-line.ts';
import type { RoomWords } from '../words/room-words.ts';

type WaitingPhase = Extract<Phase, { type: 'waiting' }>;

/** Tells the place in line or, if that is not known, counts down to the next try. */
export class WaitingCard {
  readonly node: HTMLElement;
  readonly #words: RoomWords;
  readonly #place: PlaceInLine;
  readonly #text = element('p');
  #phase: WaitingPhase | null = null;
  #remainingSeconds = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(words: RoomWords, onCancel: () => void) {
    this.#words = words;
    this.#place = new PlaceInLine(words);
    this.node = element(
      'div',
      { class: 'waiting-card' },
      element('h2', {}, words.linesBusy),
      this.#place.node,
      this.#text,
      button(words.stopWaiting, onCancel),
    );
  }

  show(phase: Phase): void {
    if (phase === this.#phase) return;
    clearInterval(this.#timer);
    const hasPlace = this.#place.show(phase);
    this.#phase = phase.type === 'waiting' ? phase : null;
    if (!this.#phase) return;
    if (hasPlace) return setText(this.#text, this.#words.connectedWhenFree);
    this.#remainingSeconds = this.#phase.retryInSeconds;
    this.#timer = setInterval(() => {
      this.#remainingSeconds = Math.max(0, this.#remainingSeconds - 1);
      this.#showText();
    }, 1000);
    this.#showText();
  }

  #showText(): void {
    const tries = this.#phase?.tries ?? 0;
    const remaining = this.#remainingSeconds;
    const words = this.#words;
    const retry =
      remaining > 0 ? words.nextTry(whenText(words.language, remaining)) : words.tryingAgain;
    const sentences = [words.connectedWhenFree, retry];
    if (tries > 1) sentences.push(words.triedSoFar(tries.toLocaleString(words.language)));
    setText(this.#text, sentences.join(words.betweenSentences));
  }
}
