import type { Room } from 'livekit-client';
import { looksAtCamera, type CallState } from '../../call/state/call-state.ts';
import { chooseDevice } from '../../call/devices/chosen-devices.ts';
import { deviceMenu } from '../../call/devices/device-menu.ts';
import { element } from '../../call/view/dom.ts';
import type { RoomWords } from '../words/room-words.ts';

const KINDS = { audioinput: 'microphone', videoinput: 'camera', audiooutput: 'speaker' } as const;

/** Menus of the devices of a call. */
export class DeviceMenus {
  readonly node = element('div', { id: 'device-menus', class: 'device-menus' });
  readonly #words: RoomWords;
  /** Called when the chosen device is in use. */
  readonly #onChosen: () => void;
  #room: Room | null = null;
  #devices: CallState['devices'] | null = null;
  #hasCamera = false;
  readonly #more: HTMLElement[];
  isOpen = false;

  /** `more`: other settings, below. */
  constructor(words: RoomWords, onChosen: () => void, more: HTMLElement[] = []) {
    this.#words = words;
    this.#onChosen = onChosen;
    this.#more = more;
    this.node.hidden = true;
    navigator.mediaDevices?.addEventListener('devicechange', () => void this.#list());
  }

  /** `room`: of the call, once its media client is loaded. */
  show(state: CallState, room: Room | null): void {
    const { devices } = state;
    const isShown = this.isOpen && room !== null;
    // Turning on a device may choose another one, and reveals the names of the others.
    const isNew = this.node.hidden || devices !== this.#devices;
    this.#room = room;
    this.#devices = devices;
    this.#hasCamera = looksAtCamera(state);
    if (isShown && isNew) void this.#list();
    this.node.hidden = !isShown;
  }

  /** A kind without devices has no menu: browsers hide devices without permission. */
  async #list(): Promise<void> {
    const room = this.#room;
    if (!room || !this.isOpen) return;
    const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
    const menus = (Object.keys(KINDS) as MediaDeviceKind[]).flatMap((kind) => {
      if (kind === 'videoinput' && !this.#hasCamera) return [];
      const choices = devices.filter((each) => each.kind === kind && each.deviceId !== '');
      if (choices.length === 0) return [];
      const kindName = this.#words[KINDS[kind]];
      return deviceMenu({
        kindName,
        label: kindName,
        devices: choices,
        activeId: room.getActiveDevice(kind) ?? null,
        onChoose: (deviceId) => {
          chooseDevice(kind, deviceId);
          void room.switchActiveDevice(kind, deviceId).finally(this.#onChosen);
        },
      });
    });
    this.node.replaceChildren(...menus, ...this.#more);
  }
}
