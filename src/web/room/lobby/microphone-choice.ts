import { chooseDevice, chosenDevice } from '../../call/devices/chosen-devices.ts';
import { deviceMenu } from '../../call/devices/device-menu.ts';
import { LevelMeter } from '../level-meter.ts';
import { button } from '../../call/view/button.ts';
import { element, setText } from '../../call/view/dom.ts';
import { isPushToTalk, PushToTalkSwitch } from '../push-to-talk-switch.ts';
import type { RoomWords } from '../words/room-words.ts';
import { MicrophoneCheck } from './microphone-check.ts';

/** Lets a person turn the microphone off, choose one, and test it before the call. */
export class MicrophoneChoice {
  readonly node: HTMLElement;
  readonly #words: RoomWords;
  readonly #switch = element('input', { type: 'checkbox', role: 'switch' });
  readonly #label = element('span');
  readonly #test: HTMLButtonElement;
  readonly #place = element('div', { class: 'lobby-check' });
  readonly #check = new MicrophoneCheck(() => this.#show());
  readonly #meter = new LevelMeter();

  constructor(words: RoomWords) {
    this.#words = words;
    this.#switch.checked = true;
    this.#switch.addEventListener('change', () => {
      if (!this.#isOn) this.#check.close();
      this.#show();
    });
    this.#test = button(words.testIt, () => void this.#check.open(null));
    this.#test.classList.add('button-small');
    this.node = element(
      'fieldset',
      { class: 'lobby-device' },
      element('legend', {}, words.microphone),
      element('label', { class: 'switch' }, this.#switch, this.#label),
      this.#test,
      this.#place,
      new PushToTalkSwitch(words, () => this.#show()).node,
    );
    this.#show();
  }

  /** Whether the microphone is on from the start of the call. */
  get joinsOn(): boolean {
    return this.#isOn && !isPushToTalk();
  }

  get #isOn(): boolean {
    return this.#switch.checked;
  }

  close(): void {
    this.#check.close();
  }

  #show(): void {
    const { state } = this.#check;
    const { onWhenYouJoin, onWhileHeld, offType } = this.#words;
    const whenOn = isPushToTalk() ? onWhileHeld : onWhenYouJoin;
    setText(this.#label, this.#isOn ? whenOn : offType);
    this.#test.hidden = !this.#isOn || state.type === 'open';
    this.#meter.follow(this.#check.level);
    this.#place.replaceChildren(...this.#outcome());
  }

  #outcome(): Node[] {
    const { state } = this.#check;
    const words = this.#words;
    if (state.type === 'open') {
      const { devices, deviceId } = state;
      const microphones = devices.filter(({ kind }) => kind === 'audioinput');
      const menu = deviceMenu({
        kindName: words.microphone,
        label: element('span', { class: 'unseen' }, words.chooseMicrophone),
        devices: microphones,
        activeId: deviceId,
        onChoose: (chosenId) => {
          chooseDevice('audioinput', chosenId);
          void this.#check.open(chosenId);
        },
      });
      return [menu, this.#meter.node, ...this.#speakers(devices)];
    }
    if (state.type === 'closed' || !this.#isOn) return [];
    const problem = words.deviceProblems.microphone[state.problem];
    const attributes = { class: 'lobby-problem', role: 'alert' };
    return [element('p', attributes, problem + words.betweenSentences + words.youCanType)];
  }

  /** Empty where the browser chooses the speaker. It lists none before it permits a microphone. */
  #speakers(devices: MediaDeviceInfo[]): Node[] {
    const speakers = devices.filter(({ kind }) => kind === 'audiooutput');
    if (speakers.length === 0 || !('setSinkId' in HTMLMediaElement.prototype)) return [];
    const { speaker } = this.#words;
    return [
      deviceMenu({
        kindName: speaker,
        label: speaker,
        devices: speakers,
        activeId: chosenDevice('audiooutput'),
        onChoose: (chosenId) => chooseDevice('audiooutput', chosenId),
      }),
    ];
  }
}
