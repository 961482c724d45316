import { element, icon } from '../../call/view/dom.ts';

/** A small button on the picture. Its label is for screen readers, and appears under the mouse. */
export class StageTool {
  readonly button: HTMLButtonElement;

  constructor(name: string, outline: string, onClick: () => void) {
    this.button = element(
      'button',
      { type: 'button', class: `stage-tool stage-tool-${name}`, click: onClick },
      icon(outline),
    );
  }

  show(label: string): void {
    for (const attribute of ['aria-label', 'title']) this.button.setAttribute(attribute, label);
  }

  /** For a tool whose label stays the same. */
  press(isOn: boolean): void {
    this.button.setAttribute('aria-pressed', String(isOn));
  }
}
