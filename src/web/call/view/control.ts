import type { IconName } from './icon-paths.ts';
import { element, icon, setText } from './dom.ts';

type Shown = { label: string; isOn?: boolean; isDisabled?: boolean; isHidden?: boolean };

/** A round button with a picture and its name below. */
export class Control {
  readonly button: HTMLButtonElement;
  readonly #label = element('span');

  constructor(name: IconName, part: string, onClick: () => void) {
    const attributes = { type: 'button', class: `control control-${part}`, click: onClick };
    const parts = { part: `control control-${part}` };
    const round = element('span', { class: 'control-round' }, icon(name));
    this.button = element('button', { ...attributes, ...parts }, round, this.#label);
  }

  show({ label, isOn, isDisabled = false, isHidden = false }: Shown): void {
    setText(this.#label, label);
    this.button.disabled = isDisabled;
    this.button.hidden = isHidden;
    if (isOn !== undefined) this.button.setAttribute('aria-pressed', String(isOn));
  }
}
