import { deviceMenu } from '../../call/devices/device-menu.ts';
import { deviceProblemText } from '../../call/texts/device-problem-texts.ts';
import { LevelMeter } from '../level-meter.ts';
import { button } from '../../call/view/button.ts';
import { element, setText } from '../../call/view/dom.ts';
import { MicrophoneCheck } from './microphone-check.ts';

/** Lets a person turn the microphone off, choose one, and test it before the call. */
export class MicrophoneChoice {
  readonly node: HTMLElement;
  readonly #switch = element('input', { type: 'checkbox', role: 'switch' });
  readonly #words = element('span');
  readonly #test: HTMLButtonElement;
  readonly #place = element('div', { class: 'lobby-check' });
  readonly #check = new MicrophoneCheck(() => this.#show());
  readonly #meter = new LevelMeter();

  constructor(isOn: boolean) {
    this.#switch.checked = isOn;
    this.#switch.addEventListener('change', () => {
      if (!this.isOn) this.#check.close();
      this.#show();
    });
    this.#test = button('Test it', () => void this.#check.open(this.deviceId));
    this.#test.classList.add('button-small');
    this.node = element(
      'fieldset',
      { class: 'lobby-sound' },
      element('legend', {}, 'Microphone'),
      element('label', { class: 'switch' }, this.#switch, this.#words),
      this.#test,
      this.#place,
    );
    this.#show();
  }

  get isOn(): boolean {
    return this.#switch.checked;
  }

  /** The tested microphone. */
  get deviceId(): string | null {
    return this.#check.deviceId;
  }

  close(): void {
    this.#check.close();
  }

  #show(): void {
    const { state } = this.#check;
    setText(this.#words, this.isOn ? 'On when you join' : 'Off. You can type instead.');
    this.#test.hidden = !this.isOn || state.type === 'open';
    this.#meter.follow(state.type === 'open' ? state.level : null);
    this.#place.replaceChildren(...this.#outcome());
  }

  #outcome(): Node[] {
    const { state } = this.#check;
    if (state.type === 'open') {
      const menu = deviceMenu({
        kindName: 'Microphone',
        label: element('span', { class: 'unseen' }, 'Choose a microphone'),
        devices: state.devices,
        activeId: this.deviceId,
        onChoose: (deviceId) => void this.#check.open(deviceId),
      });
      return [menu, this.#meter.node];
    }
    if (state.type === 'closed' || !this.isOn) return [];
    const problem = deviceProblemText('microphone', state.problem);
    const attributes = { class: 'lobby-problem', role: 'alert' };
    return [element('p', attributes, `${problem} You can type instead.`)];
  }
}
