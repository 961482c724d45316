import { agentOf, isInCall, type CallState } from '../state/call-state.ts';
import { nameOf } from '../texts/refusals.ts';
import type { CallWords } from '../words/call-words.ts';
import { element, icon, setText } from './dom.ts';
import { SEND_ICON } from './icon-paths.ts';
import { Notices } from './notices.ts';
import { TranscriptList } from './transcript-list.ts';

const MAX_TEXT_LENGTH = '2000';

type Parts = {
  say: (text: string) => void;
  /** Text in place of the lines, before the first. */
  hint: (state: CallState, agentName: string) => string;
  /** Facts that the visitor should know, below the problems. */
  notices?: (state: CallState, agentName: string) => string[];
  /** Nodes beside the field. */
  tools?: Node[];
};

/** The transcript, and a field to type into. */
export class Conversation {
  readonly node: HTMLElement;
  readonly #words: CallWords;
  readonly #parts: Parts;
  readonly #list: TranscriptList;
  readonly #scroller: HTMLElement;
  readonly #problems: Notices;
  readonly #notices: Notices;
  readonly #hint = element('p', { class: 'hint' });
  readonly #field: HTMLInputElement;
  readonly #send: HTMLButtonElement;
  #isCalling = false;
  #unsent = '';

  constructor(words: CallWords, parts: Parts) {
    this.#words = words;
    this.#parts = parts;
    this.#list = new TranscriptList(words);
    this.#problems = new Notices(words, 'alert', 'notice problem');
    this.#notices = new Notices(words, 'status', 'notice');
    this.#scroller = element(
      'div',
      { class: 'lines', tabindex: '0', role: 'region', 'aria-label': words.transcript },
      this.#hint,
      this.#list.node,
    );
    this.#field = element('input', {
      type: 'text',
      part: 'message-field',
      autocomplete: 'off',
      enterkeyhint: 'send',
      maxlength: MAX_TEXT_LENGTH,
      input: () => this.#allowSend(),
    });
    this.#send = element(
      'button',
      { type: 'submit', class: 'send', part: 'send-button', 'aria-label': words.send },
      icon(SEND_ICON),
    );
    const { tools = [] } = parts;
    const form = element('form', { class: 'writer' }, this.#field, ...tools, this.#send);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.node = element(
      'section',
      { class: 'conversation', part: 'conversation', 'aria-label': words.conversation },
      this.#scroller,
      this.#problems.node,
      this.#notices.node,
      form,
    );
  }

  focus(): void {
    this.#field.focus();
  }

  /** Replaces the text of the field. */
  set draft(text: string) {
    this.#field.value = text;
    this.#allowSend();
  }

  show(state: CallState): void {
    const { phase, lines, unsent } = state;
    const words = this.#words;
    const agent = agentOf(phase);
    const name = nameOf(words, agent);
    this.#isCalling = isInCall(phase);
    this.#takeBack(unsent);
    this.#field.placeholder = words.message(name);
    this.#field.setAttribute('aria-label', words.message(name));
    this.#allowSend();
    setText(this.#hint, lines.length > 0 ? '' : this.#parts.hint(state, name));
    if (this.#list.show(lines, name, agent?.language))
      this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#problems.show(problemsOf(words, state));
    this.#notices.show(this.#parts.notices?.(state, name) ?? []);
  }

  #allowSend(): void {
    this.#send.disabled = !this.#isCalling || !this.#field.value.trim();
  }

  /** Texts that the agent did not get are back in the field, before what was begun since. */
  #takeBack(unsent: string): void {
    if (unsent === this.#unsent) return;
    this.#unsent = unsent;
    if (unsent) this.#field.value = `${unsent} ${this.#field.value}`.trim();
  }

  #submit(): void {
    const text = this.#field.value.trim();
    if (!text || !this.#isCalling) return;
    this.#parts.say(text);
    this.draft = '';
  }
}

/** The problems that the conversation shows. */
export function problemsOf(words: CallWords, { devices, ignored }: CallState): string[] {
  const problems = (['microphone', 'camera'] as const).flatMap((kind) => {
    const { problem } = devices[kind];
    return problem ? [words.deviceProblems[kind][problem]] : [];
  });
  return ignored ? [...problems, words.ignored[ignored]] : problems;
}
