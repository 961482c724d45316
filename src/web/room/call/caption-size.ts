import { element } from '../../call/view/dom.ts';
import { pageStorage } from '../../look/page-storage.ts';
import type { RoomWords } from '../words/room-words.ts';

const STORED = 'troupe-captions';

/** The person's choice for the captions, kept for the next call in this browser. */
export class CaptionSize {
  readonly node: HTMLElement;
  readonly #sizes: RoomWords['captionSizes'];
  readonly #storage = pageStorage(() => localStorage);

  /** The stage does not exist before the menu that it shows. */
  constructor({ captionSize, captionSizes }: RoomWords, stage: () => HTMLElement) {
    this.#sizes = captionSizes;
    const options = Object.entries(captionSizes).map(([value, label]) =>
      element('option', { value }, label),
    );
    const select = element('select', {}, ...options);
    select.value = this.#stored;
    select.addEventListener('change', () => {
      this.#storage.setItem(STORED, select.value);
      this.applyTo(stage());
    });
    this.node = element('label', { class: 'device-menu' }, captionSize, select);
  }

  applyTo(stage: HTMLElement): void {
    stage.dataset['captions'] = this.#stored;
  }

  get #stored(): string {
    const size = this.#storage.getItem(STORED) ?? 'normal';
    return Object.hasOwn(this.#sizes, size) ? size : 'normal';
  }
}
