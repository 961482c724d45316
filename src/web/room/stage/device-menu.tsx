import { useMediaDeviceSelect } from '@livekit/components-react';
import type { Room } from 'livekit-client';

type Props = { kind: MediaDeviceKind; label: string; room: Room };

/** Empty without a choice: some browsers hide speakers, all hide devices without permission. */
export function DeviceMenu({ kind, label, room }: Props) {
  const { devices, activeDeviceId, setActiveMediaDevice } = useMediaDeviceSelect({ kind, room });
  const known = devices.filter(({ deviceId }) => deviceId !== '');
  if (known.length === 0) return null;
  return (
    <label className="device-menu">
      {label}
      <select
        value={activeDeviceId}
        onChange={({ target }) => void setActiveMediaDevice(target.value)}
      >
        {known.map(({ deviceId, label: name }, index) => (
          <option key={deviceId} value={deviceId}>
            {name || `${label} ${index + 1}`}
          </option>
        ))}
      </select>
    </label>
  );
}
