import { nameOf } from '../../call/texts/refusals.ts';
import { agentOf, isInCall, type CallState } from '../../call/state/call-state.ts';
import { element, icon, setText, showPicture } from '../../call/view/dom.ts';
import type { CallWords } from '../../call/words/call-words.ts';

const CLOSE_ICON = 'M6 6l12 12M18 6 6 18';

/** Opens and closes a floating agent. The style hides it for others. */
export class Launcher {
  readonly node: HTMLButtonElement;
  readonly #picture = element('img', { alt: '' });
  readonly #label = element('span', { class: 'launcher-label' });
  readonly #words: CallWords;
  #isOpen = false;

  constructor(words: CallWords, onToggle: (isOpen: boolean) => void) {
    this.#words = words;
    const toggle = () => onToggle(!this.#isOpen);
    this.node = element(
      'button',
      { type: 'button', class: 'launcher', part: 'launcher', click: toggle },
      this.#picture,
      icon(CLOSE_ICON),
      this.#label,
    );
  }

  show({ phase }: CallState, isOpen: boolean): void {
    this.#isOpen = isOpen;
    const agent = agentOf(phase);
    showPicture(this.#picture, agent?.picture);
    const { backToCall, talkTo, close } = this.#words;
    const label = isInCall(phase) ? backToCall : talkTo(nameOf(this.#words, agent));
    setText(this.#label, isOpen ? close : label);
    this.node.setAttribute('aria-expanded', String(isOpen));
    this.node.toggleAttribute('data-live', phase.type === 'live');
  }
}
