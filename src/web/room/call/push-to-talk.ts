/* With push-to-talk, the microphone is on while a person holds its button or the space bar. */
import type { CallState } from '../../call/state/call-state.ts';
import { isPushToTalk } from '../push-to-talk-switch.ts';
import type { RoomWords } from '../words/room-words.ts';

/** Elements that use the space bar themselves. */
const USES_SPACE = 'input, textarea, select, button, a, [contenteditable]';

export class PushToTalk {
  readonly #words: RoomWords;
  readonly #button: HTMLElement;
  readonly #turn: (isOn: boolean) => void;
  #isUsable = false;
  #isHeld = false;

  /** `button`: of the microphone. */
  constructor(words: RoomWords, button: HTMLElement, turn: (isOn: boolean) => void) {
    this.#words = words;
    this.#button = button;
    this.#turn = turn;
    button.addEventListener('pointerdown', (event) => {
      // So that the pointer may leave the button.
      if (event.button === 0 && this.#hold()) button.setPointerCapture(event.pointerId);
    });
    // A long press would open it.
    button.addEventListener('contextmenu', (event) => this.#isUsable && event.preventDefault());
    document.addEventListener('keydown', (event) => this.#press(event));
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'])
      button.addEventListener(type, () => this.#release());
    document.addEventListener('keyup', ({ code }) => isTalkKey(code) && this.#release());
    // The page hears of no key and no pointer then.
    window.addEventListener('blur', () => this.#release());
    document.addEventListener('visibilitychange', () => this.#release());
  }

  /** Also mutes a microphone that was on before, such as that of a reloaded page. */
  show({ phase, hears, devices: { microphone } }: CallState): void {
    this.#isUsable = isPushToTalk() && phase.type === 'live' && hears !== false;
    if (!this.#isUsable) this.#isHeld = false;
    else if (!this.#isHeld && microphone.isOn) this.#turn(false);
    this.#button.setAttribute('data-talking', String(this.#isHeld && microphone.isOn));
  }

  /** Of the microphone's button; null without push-to-talk. */
  labelOf({ devices: { microphone } }: CallState): string | null {
    if (!isPushToTalk()) return null;
    return this.#isHeld && microphone.isOn ? this.#words.talking : this.#words.holdToTalk;
  }

  #press(event: KeyboardEvent): void {
    const { code, target, repeat } = event;
    if (!this.#isUsable || !isTalkKey(code)) return;
    const isOnButton = target === this.#button;
    const isElsewhere = code === 'Space' && !(target as Element).closest(USES_SPACE);
    if (!isOnButton && !isElsewhere) return;
    // Otherwise the page scrolls.
    event.preventDefault();
    if (!repeat) this.#hold();
  }

  #hold(): boolean {
    if (!this.#isUsable || this.#isHeld) return false;
    this.#isHeld = true;
    this.#turn(true);
    return true;
  }

  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#turn(false);
  }
}

/** The enter key presses buttons, too. */
const isTalkKey = (code: string): boolean => code === 'Space' || code === 'Enter';
