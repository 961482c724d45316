import { deviceWords } from '../devices/device-problems.ts';
import { ignoredWords } from '../chat/ignored-texts.ts';
import { nameOf } from '../texts/refusals.ts';
import type { Line, RoomState } from '../state/call-state.ts';
import { element, icon, setText } from './dom.ts';

const LONGEST_TEXT = '2000';

/** The transcript, and a field to type into. */
export class Conversation {
  readonly node: HTMLElement;
  readonly #lines = element('ol', { class: 'said' });
  readonly #scrolled: HTMLElement;
  readonly #notices = element('div', { role: 'alert' });
  readonly #hint = element('p', { class: 'hint' });
  readonly #field: HTMLInputElement;
  readonly #send: HTMLButtonElement;
  readonly #onSay: (text: string) => void;
  #isLive = false;

  constructor(onSay: (text: string) => void) {
    this.#onSay = onSay;
    this.#scrolled = element(
      'div',
      { class: 'lines', tabindex: '0', role: 'region', 'aria-label': 'Transcript' },
      this.#hint,
      this.#lines,
    );
    this.#field = element('input', {
      type: 'text',
      part: 'message-field',
      autocomplete: 'off',
      enterkeyhint: 'send',
      maxlength: LONGEST_TEXT,
      input: () => this.#allowSend(),
    });
    this.#send = element(
      'button',
      { type: 'submit', class: 'send', part: 'send-button', 'aria-label': 'Send' },
      icon('send'),
    );
    const form = element('form', { class: 'writer' }, this.#field, this.#send);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    const attributes = {
      class: 'conversation',
      part: 'conversation',
      'aria-label': 'Conversation',
    };
    this.node = element('section', attributes, this.#scrolled, this.#notices, form);
  }

  focus(): void {
    this.#field.focus();
  }

  show(state: RoomState): void {
    const { phase, lines } = state;
    const name = nameOf(phase.type === 'looking' ? null : phase.agent);
    this.#isLive = phase.type === 'live' && phase.presence !== 'rejoining';
    this.#field.placeholder = `Message ${name}`;
    this.#field.setAttribute('aria-label', `Message ${name}`);
    this.#allowSend();
    setText(this.#hint, lines.length > 0 ? '' : hintOf(state, name));
    this.#showLines(lines, name);
    this.#showNotices(problemsOf(state));
  }

  #showLines(lines: Line[], name: string): void {
    const rows = this.#lines.children;
    while (rows.length > lines.length) rows[rows.length - 1]?.remove();
    let isNew = false;
    for (const [at, { sender, text, isFinal }] of lines.entries()) {
      const row = rows[at] ?? element('li', {}, element('b'), element('span'));
      const [who, words] = row.children;
      if (!who || !words) continue;
      isNew ||= words.textContent !== text;
      row.setAttribute('data-sender', sender);
      row.setAttribute('data-final', String(isFinal));
      setText(who, sender === 'ai' ? name : 'You');
      setText(words, text);
      if (!row.isConnected) this.#lines.append(row);
    }
    if (isNew) this.#scrolled.scrollTop = this.#scrolled.scrollHeight;
  }

  #showNotices(problems: string[]): void {
    if (this.#notices.textContent === problems.join('')) return;
    this.#notices.replaceChildren(
      ...problems.map((words) => element('p', { class: 'notice' }, words)),
    );
  }

  #allowSend(): void {
    this.#send.disabled = !this.#isLive || !this.#field.value.trim();
  }

  #submit(): void {
    const text = this.#field.value.trim();
    if (!text || !this.#isLive) return;
    this.#onSay(text);
    this.#field.value = '';
    this.#allowSend();
  }
}

/** The problems that the conversation shows. */
export function problemsOf({ devices, ignored }: RoomState): string[] {
  const problems = (['microphone', 'camera'] as const).flatMap((kind) => {
    const { problem } = devices[kind];
    return problem ? [deviceWords(kind, problem)] : [];
  });
  return ignored ? [...problems, ignoredWords[ignored]] : problems;
}

const hintOf = ({ hears }: RoomState, name: string): string =>
  hears === false
    ? `${name} cannot hear you, but reads what you type.`
    : 'The conversation appears here.';
