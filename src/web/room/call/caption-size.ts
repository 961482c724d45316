import { element } from '../../call/view/dom.ts';
import { pageStorage } from '../../look/page-storage.ts';

const SIZES = { normal: 'Normal', large: 'Large', largest: 'Very large' };
const STORED = 'troupe-captions';

/** The person's choice for the captions, kept for the next call in this browser. */
export class CaptionSize {
  readonly node: HTMLElement;
  readonly #storage = pageStorage(() => localStorage);

  /** The stage does not exist before the menu that it shows. */
  constructor(stage: () => HTMLElement) {
    const options = Object.entries(SIZES).map(([value, label]) =>
      element('option', { value }, label),
    );
    const select = element('select', {}, ...options);
    select.value = this.#stored;
    select.addEventListener('change', () => {
      this.#storage.setItem(STORED, select.value);
      this.applyTo(stage());
    });
    this.node = element('label', { class: 'device-menu' }, 'Captions', select);
  }

  applyTo(stage: HTMLElement): void {
    stage.dataset['captions'] = this.#stored;
  }

  get #stored(): string {
    const size = this.#storage.getItem(STORED) ?? 'normal';
    return Object.hasOwn(SIZES, size) ? size : 'normal';
  }
}
