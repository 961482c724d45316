import '../call/sound/level-meter.css';
import { drawLevel } from '../call/sound/draw-level.ts';
import type { SoundLevel } from '../call/sound/sound-level.ts';
import { element } from '../call/view/dom.ts';

/** Animates with the captured audio. Does not own the level. */
export class LevelMeter {
  readonly node = element('div', { class: 'meter', 'aria-hidden': 'true' }, element('i'));
  #level: SoundLevel | null = null;
  #stop = () => {};

  /** Null: draws nothing. */
  follow(level: SoundLevel | null): void {
    if (level === this.#level) return;
    this.#stop();
    this.#level = level;
    this.#stop = level ? drawLevel(this.node, () => level) : () => {};
  }
}
