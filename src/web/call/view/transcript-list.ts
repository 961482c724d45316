import type { Line } from '../state/call-state.ts';
import type { CallWords } from '../words/call-words.ts';
import { element, setText } from './dom.ts';

/** The lines of a call. */
export class TranscriptList {
  readonly node = element('ol', { class: 'said' });
  readonly #words: CallWords;

  constructor(words: CallWords) {
    this.#words = words;
  }

  /** `language`: of what is said. Returns whether a text is new. */
  show(lines: Line[], agentName: string, language = ''): boolean {
    const rows = this.node.children;
    while (rows.length > lines.length) rows[rows.length - 1]?.remove();
    let isNew = false;
    for (const [index, { sender, text, isFinal, isWaiting }] of lines.entries()) {
      const row = rows[index] ?? element('li', {}, element('b'), element('span'));
      const [speaker, words] = row.children;
      if (!speaker || !words) continue;
      isNew ||= words.textContent !== text;
      row.setAttribute('data-sender', sender);
      row.setAttribute('data-final', String(isFinal));
      const { you, youWaiting } = this.#words;
      setText(speaker, sender === 'ai' ? agentName : isWaiting ? youWaiting(agentName) : you);
      words.setAttribute('lang', language);
      setText(words, text);
      if (!row.isConnected) this.node.append(row);
    }
    return isNew;
  }
}
