import type { Phase } from '../state/call-state.ts';
import type { CallWords } from '../words/call-words.ts';
import { element, setText } from './dom.ts';

/** Screen readers say each change. */
export class PlaceInLine {
  readonly node = element('p', { class: 'place-in-line', role: 'status', hidden: '' });
  readonly #words: CallWords;

  constructor(words: CallWords) {
    this.#words = words;
  }

  /** Whether the place is known. */
  show(phase: Phase): boolean {
    const position = phase.type === 'waiting' ? phase.position : null;
    const { language, numberInLine } = this.#words;
    this.node.hidden = position === null;
    setText(this.node, position === null ? '' : numberInLine(position.toLocaleString(language)));
    return position !== null;
  }
}
