import { nameOf } from '../../call/texts/refusals.ts';
import { agentOf, isInCall, type CallState } from '../../call/state/call-state.ts';
import { element, icon, setText, showPicture } from '../../call/view/dom.ts';

const CLOSE_ICON = 'M6 6l12 12M18 6 6 18';

/** Opens and closes a floating agent. The style hides it for others. */
export class Launcher {
  readonly node: HTMLButtonElement;
  readonly #picture = element('img', { alt: '' });
  readonly #label = element('span', { class: 'launcher-label' });
  #isOpen = false;

  constructor(onToggle: (isOpen: boolean) => void) {
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
    const words = isInCall(phase) ? 'Back to the call' : `Talk to ${nameOf(agent)}`;
    setText(this.#label, isOpen ? 'Close' : words);
    this.node.setAttribute('aria-expanded', String(isOpen));
    this.node.toggleAttribute('data-live', phase.type === 'live');
  }
}
