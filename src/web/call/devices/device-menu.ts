import { element } from '../view/dom.ts';

type Parts = {
  /** Names devices without a name. */
  kindName: string;
  /** Names the menu. */
  label: Node | string;
  devices: MediaDeviceInfo[];
  activeId: string | null;
  onChoose: (deviceId: string) => void;
};

/** A menu of devices of one kind. */
export function deviceMenu({ kindName, label, devices, activeId, onChoose }: Parts): HTMLElement {
  const select = element('select');
  select.append(
    ...devices.map(({ deviceId, label: name }, index) =>
      element('option', { value: deviceId }, name || `${kindName} ${index + 1}`),
    ),
  );
  // An unknown id leaves the first device selected.
  if (devices.some(({ deviceId }) => deviceId === activeId)) select.value = activeId ?? '';
  select.addEventListener('change', () => onChoose(select.value));
  return element('label', { class: 'device-menu' }, label, select);
}
