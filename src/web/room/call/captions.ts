import { element } from '../../call/view/dom.ts';
import { pageStorage } from '../../look/page-storage.ts';
import type { RoomWords } from '../words/room-words.ts';
import { StageTool } from './stage-tool.ts';

const SIZE = 'troupe-captions';
const OFF = 'troupe-captions-off';
const ICON = 'M3.5 5.5h17v13h-17zM10.5 10.6a2 2 0 1 0 0 2.8M17 10.6a2 2 0 1 0 0 2.8';

/** Whether and how large captions are, kept for later calls in this browser. */
export class Captions {
  readonly sizeMenu: HTMLElement;
  readonly tool: StageTool;
  readonly #sizes: RoomWords['captionSizes'];
  readonly #storage = pageStorage(() => localStorage);
  readonly #stage: () => HTMLElement;

  /** The stage does not exist before the tool that it shows. */
  constructor({ captions, captionSize, captionSizes }: RoomWords, stage: () => HTMLElement) {
    this.#sizes = captionSizes;
    this.#stage = stage;
    const options = Object.entries(captionSizes).map(([value, label]) =>
      element('option', { value }, label),
    );
    const select = element('select', {}, ...options);
    select.value = this.#size;
    select.addEventListener('change', () => {
      this.#storage.setItem(SIZE, select.value);
      this.show();
    });
    this.sizeMenu = element('label', { class: 'device-menu' }, captionSize, select);
    this.tool = new StageTool('captions', ICON, () => {
      if (this.#isOff) this.#storage.removeItem(OFF);
      else this.#storage.setItem(OFF, 'yes');
      this.show();
    });
    this.tool.show(captions);
  }

  show(): void {
    this.#stage().dataset['captions'] = this.#isOff ? 'off' : this.#size;
    this.tool.press(!this.#isOff);
  }

  get #isOff(): boolean {
    return this.#storage.getItem(OFF) !== null;
  }

  get #size(): string {
    const size = this.#storage.getItem(SIZE) ?? 'normal';
    return Object.hasOwn(this.#sizes, size) ? size : 'normal';
  }
}
