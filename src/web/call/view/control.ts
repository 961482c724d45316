import { element, icon, setText } from './dom.ts';

type Shown = { label: string; isOn?: boolean; isDisabled?: boolean; isHidden?: boolean };

/** A round button with a picture and its name below. */
export class Control {
  readonly button: HTMLButtonElement;
  readonly #label = element('span');

  constructor(name: string, outline: string, onClick: () => void) {
    const names = `control control-${name}`;
    this.button = element(
      'button',
      { type: 'button', class: names, part: names, click: onClick },
      element('span', { class: 'control-round' }, icon(outline)),
      this.#label,
    );
  }

  show({ label, isOn, isDisabled = false, isHidden = false }: Shown): void {
    setText(this.#label, label);
    this.button.disabled = isDisabled;
    this.button.hidden = isHidden;
    // The label names the change, so `aria-pressed` would say the opposite.
    if (isOn !== undefined) this.button.setAttribute('data-on', String(isOn));
  }
}
