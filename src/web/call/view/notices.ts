import type { CallWords } from '../words/call-words.ts';
import { element, icon } from './dom.ts';

/** Time to read a notice at leisure. Controls go on showing what is off. */
const STAYS_MS = 20_000;
const CLOSE_ICON = 'M6 6l12 12M18 6 6 18';

/** Texts that go away after a while, or by a button. Each appears once as long as it applies. */
export class Notices {
  readonly node: HTMLElement;
  readonly #hideLabel: string;
  readonly #look: string;
  readonly #shown = new Map<string, { row: HTMLElement; timer: ReturnType<typeof setTimeout> }>();

  /** `alert` interrupts a screen reader, `status` waits for it. */
  constructor({ hideNotice }: CallWords, role: 'alert' | 'status', look: string) {
    this.#hideLabel = hideNotice;
    this.node = element('div', { class: 'notices', role });
    this.#look = look;
  }

  /** All that apply now. */
  show(texts: readonly string[]): void {
    for (const [text, { row, timer }] of this.#shown) {
      if (texts.includes(text)) continue;
      clearTimeout(timer);
      row.remove();
      this.#shown.delete(text);
    }
    for (const text of texts) if (!this.#shown.has(text)) this.#add(text);
  }

  #add(text: string): void {
    const close = element(
      'button',
      { type: 'button', class: 'notice-close', 'aria-label': this.#hideLabel },
      icon(CLOSE_ICON),
    );
    const row = element('p', { class: this.#look }, element('span', {}, text), close);
    close.addEventListener('click', () => row.remove());
    this.#shown.set(text, { row, timer: setTimeout(() => row.remove(), STAYS_MS) });
    this.node.append(row);
  }
}
