import type { DeviceKind, RoomState } from '../state/call-state.ts';
import { Control } from './control.ts';
import { element } from './dom.ts';

export type ControlActions = {
  turn: (kind: DeviceKind, isOn: boolean) => void;
  leave: () => void;
  chat: () => void;
};

type Shown = { hasCamera: boolean; isChatOpen: boolean };

export class Controls {
  readonly node: HTMLElement;
  readonly #microphone: Control;
  readonly #camera: Control;
  readonly #chat: Control;
  readonly #leave: Control;
  #devices: RoomState['devices'] | null = null;

  constructor({ turn, leave, chat }: ControlActions) {
    const toggle = (kind: DeviceKind) => () => turn(kind, !this.#devices?.[kind].isOn);
    this.#microphone = new Control('microphone', 'microphone', toggle('microphone'));
    this.#camera = new Control('camera', 'camera', toggle('camera'));
    this.#chat = new Control('chat', 'chat', chat);
    this.#leave = new Control('leave', 'leave', leave);
    const controls = [this.#microphone, this.#camera, this.#chat, this.#leave];
    this.node = element(
      'div',
      { class: 'controls', part: 'controls', role: 'group', 'aria-label': 'Call controls' },
      ...controls.map(({ button }) => button),
    );
  }

  get chatButton(): HTMLButtonElement {
    return this.#chat.button;
  }

  show({ phase, devices, hears }: RoomState, { hasCamera, isChatOpen }: Shown): void {
    this.#devices = devices;
    const { microphone, camera } = devices;
    const isLive = phase.type === 'live';
    this.#microphone.show({
      label: microphone.isOn ? 'Mute' : 'Unmute',
      isOn: microphone.isOn,
      isHidden: !isLive || hears === false,
    });
    this.#camera.show({
      label: camera.isOn ? 'Camera off' : 'Camera on',
      isOn: camera.isOn,
      isHidden: !isLive || !hasCamera,
    });
    this.#chat.show({ label: 'Chat', isHidden: !isLive });
    this.chatButton.setAttribute('aria-expanded', String(isChatOpen));
    this.#leave.show({ label: isLive ? 'End call' : 'Cancel' });
  }
}
