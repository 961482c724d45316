import type { CallState, DeviceKind } from '../state/call-state.ts';
import type { CallWords } from '../words/call-words.ts';
import { Control } from './control.ts';
import { element } from './dom.ts';
import { CAMERA_ICON, LEAVE_ICON, MICROPHONE_ICON } from './icon-paths.ts';

export type ControlActions = {
  turn: (kind: DeviceKind, isOn: boolean) => void;
  leave: () => void;
  /** The page's own button, which opens and closes a part of it. */
  toggle: () => void;
};

type Skin = {
  /** `isEarly`: it works before the call is live. */
  toggle: { name: string; icon: string; label: string; isEarly: boolean };
  leaveLabel: (isLive: boolean) => string;
};

type Shown = {
  hasCamera: boolean;
  isExpanded: boolean;
  /** In place of what a click does. */
  microphoneLabel?: string | null;
};

export class Controls {
  readonly node: HTMLElement;
  readonly microphone: Control;
  readonly toggle: Control;
  readonly #words: CallWords;
  readonly #skin: Skin;
  readonly #camera: Control;
  readonly #leave: Control;
  #devices: CallState['devices'] | null = null;

  constructor(words: CallWords, { turn, leave, toggle }: ControlActions, skin: Skin) {
    this.#words = words;
    this.#skin = skin;
    const flip = (kind: DeviceKind) => () => turn(kind, !this.#devices?.[kind].isOn);
    this.microphone = new Control('microphone', MICROPHONE_ICON, flip('microphone'));
    this.#camera = new Control('camera', CAMERA_ICON, flip('camera'));
    this.toggle = new Control(skin.toggle.name, skin.toggle.icon, toggle);
    this.#leave = new Control('leave', LEAVE_ICON, leave);
    const controls = [this.microphone, this.#camera, this.toggle, this.#leave];
    this.node = element(
      'div',
      { class: 'controls', part: 'controls', role: 'group', 'aria-label': words.controls },
      ...controls.map(({ button }) => button),
    );
  }

  show(
    { phase, devices, hears }: CallState,
    { hasCamera, isExpanded, microphoneLabel = null }: Shown,
  ): void {
    this.#devices = devices;
    const { microphone, camera } = devices;
    const words = this.#words;
    const { toggle, leaveLabel } = this.#skin;
    const isLive = phase.type === 'live';
    const isDisabled = !isLive;
    this.microphone.show({
      label: microphoneLabel ?? (microphone.isOn ? words.mute : words.unmute),
      isOn: microphone.isOn,
      isHidden: hears === false,
      isDisabled,
    });
    this.#camera.show({
      label: camera.isOn ? words.cameraOff : words.cameraOn,
      isOn: camera.isOn,
      isHidden: !hasCamera,
      isDisabled,
    });
    this.toggle.show({ label: toggle.label, isDisabled: isDisabled && !toggle.isEarly });
    this.toggle.button.setAttribute('aria-expanded', String(isExpanded));
    this.#leave.show({ label: leaveLabel(isLive) });
  }
}
