import type { Line } from '../state/call-state.ts';
import { element, setText } from './dom.ts';

/** The lines of a call. */
export class TranscriptList {
  readonly node = element('ol', { class: 'said' });

  /** Returns whether a text is new. */
  show(lines: Line[], agentName: string): boolean {
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
      setText(speaker, sender === 'ai' ? agentName : yourLabel(agentName, isWaiting));
      setText(words, text);
      if (!row.isConnected) this.node.append(row);
    }
    return isNew;
  }
}

const yourLabel = (agentName: string, isWaiting = false): string =>
  isWaiting ? `You · sent when ${agentName} is ready` : 'You';
