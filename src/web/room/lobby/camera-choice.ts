import { chooseDevice } from '../../call/devices/chosen-devices.ts';
import { deviceMenu } from '../../call/devices/device-menu.ts';
import { element } from '../../call/view/dom.ts';
import type { RoomWords } from '../words/room-words.ts';
import { DeviceCheck } from './device-check.ts';

/** Lets a person show the camera to an agent that sees, and choose it. It is off by default. */
export class CameraChoice {
  readonly node: HTMLElement;
  readonly #words: RoomWords;
  readonly #switch = element('input', { type: 'checkbox', role: 'switch' });
  readonly #picture = element('video', { class: 'lobby-camera', playsinline: '' });
  readonly #place = element('div', { class: 'lobby-check' });
  readonly #check = new DeviceCheck('videoinput', () => this.#show());

  constructor(words: RoomWords, agentName: string) {
    this.#words = words;
    this.#picture.muted = true;
    this.#picture.autoplay = true;
    this.#picture.setAttribute('aria-label', words.you);
    this.#switch.addEventListener('change', () => {
      if (this.#switch.checked) void this.#check.open(null);
      else this.#check.close();
    });
    this.node = element(
      'fieldset',
      { class: 'lobby-device' },
      element('legend', {}, words.camera),
      element('label', { class: 'switch' }, this.#switch, words.showCamera(agentName)),
      element('p', { class: 'soft lobby-small lobby-consent' }, words.mayLook(agentName)),
      this.#place,
    );
  }

  /** Whether the camera is on from the start of the call. */
  get joinsOn(): boolean {
    return this.#switch.checked;
  }

  close(): void {
    this.#check.close();
  }

  #show(): void {
    const { state } = this.#check;
    const words = this.#words;
    if (state.type === 'refused') this.#switch.checked = false;
    this.#picture.srcObject = state.type === 'open' ? state.stream : null;
    if (state.type === 'closed') this.#place.replaceChildren();
    if (state.type === 'refused') {
      const problem = words.deviceProblems.camera[state.problem];
      const attributes = { class: 'lobby-problem', role: 'alert' };
      this.#place.replaceChildren(element('p', attributes, problem));
    }
    if (state.type === 'open') {
      const menu = deviceMenu({
        kindName: words.camera,
        label: element('span', { class: 'unseen' }, words.chooseCamera),
        devices: state.devices.filter(({ kind }) => kind === 'videoinput'),
        activeId: state.deviceId,
        onChoose: (chosenId) => {
          chooseDevice('videoinput', chosenId);
          void this.#check.open(chosenId);
        },
      });
      this.#place.replaceChildren(this.#picture, menu);
      // On a phone it lies below the screen, where browsers do not play it.
      this.#picture.scrollIntoView({ block: 'nearest' });
    }
  }
}
