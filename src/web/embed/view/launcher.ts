import { nameOf } from '../../call/texts/refusals.ts';
import { isInCall, type CallState } from '../../call/state/call-state.ts';
import { element, icon, setText } from '../../call/view/dom.ts';

const CLOSE_ICON = 'M6 6l12 12M18 6 6 18';

/** Opens and closes a floating agent. The style hides it for others. */
export class Launcher {
  readonly node: HTMLButtonElement;
  readonly #picture = element('img', { alt: '' });
  readonly #label = element('span', { class: 'launcher-label' });
  #isOpen = false;

  constructor(onToggle: (isOpen: boolean) => void) {
    const attributes = { type: 'button', class: 'launcher', part: 'launcher' };
    const open = () => onToggle(!this.#isOpen);
    this.node = element(
      'button',
      { ...attributes, click: open },
      this.#picture,
      icon(CLOSE_ICON),
      this.#label,
    );
  }

  show({ phase }: CallState, isOpen: boolean): void {
    this.#isOpen = isOpen;
    const agent = phase.type === 'looking' ? null : phase.agent;
    this.#picture.hidden = !agent?.picture;
    if (agent?.picture && this.#picture.src !== agent.picture) this.#picture.src = agent.picture;
    const words = isInCall(phase) ? 'Back to the call' : `Talk to ${nameOf(agent)}`;
    setText(this.#label, isOpen ? 'Close' : words);
    this.node.setAttribute('aria-expanded', String(isOpen));
    this.node.toggleAttribute('data-live', phase.type === 'live');
  }
}
