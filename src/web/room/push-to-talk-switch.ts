import { element } from '../call/view/dom.ts';
import { pageStorage } from '../look/page-storage.ts';
import type { RoomWords } from './words/room-words.ts';

const STORED = 'troupe-push-to-talk';
const storage = pageStorage(() => localStorage);

/** Kept for later calls in this browser. */
export const isPushToTalk = (): boolean => storage.getItem(STORED) !== null;

export class PushToTalkSwitch {
  readonly node: HTMLElement;
  readonly #input = element('input', { type: 'checkbox', role: 'switch' });

  constructor({ pushToTalk, pushToTalkMeans }: RoomWords, onChange: () => void) {
    this.#input.addEventListener('change', () => {
      if (this.#input.checked) storage.setItem(STORED, 'yes');
      else storage.removeItem(STORED);
      onChange();
    });
    const meaning = element('small', { class: 'soft' }, pushToTalkMeans);
    const label = element('span', {}, pushToTalk, meaning);
    this.node = element('label', { class: 'switch push-to-talk' }, this.#input, label);
    this.show();
  }

  /** The lobby and the call have one each. */
  show(): void {
    this.#input.checked = isPushToTalk();
  }
}
