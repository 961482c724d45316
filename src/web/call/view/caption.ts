import { agentOf, captionOf, type CallState } from '../state/call-state.ts';
import { captionText, readingMsOf } from '../captions/caption-text.ts';
import { element, setText } from './dom.ts';

/** Words of the agent, shown for as long as reading them takes. */
export class Caption {
  readonly #words = element('span');
  readonly node = element('p', { class: 'caption', part: 'caption', 'aria-hidden': 'true' });
  /** The line that was read, or is being read. */
  #finished = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.node.append(this.#words);
    this.node.hidden = true;
  }

  show(state: CallState): void {
    const line = state.phase.type === 'live' ? captionOf(state) : null;
    if (!line) return this.close();
    if (line.id === this.#finished) return;
    clearTimeout(this.#timer);
    this.node.hidden = false;
    this.#words.lang = agentOf(state.phase)?.language ?? '';
    setText(this.#words, captionText(line.text));
    if (!line.isFinal) return;
    this.#finished = line.id;
    this.#timer = setTimeout(() => (this.node.hidden = true), readingMsOf(line.text));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#finished = '';
    this.node.hidden = true;
  }
}
