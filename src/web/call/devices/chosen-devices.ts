/* The devices that a person chose, kept for later calls in this browser. */
import type { Room } from 'livekit-client';
import { pageStorage } from '../../look/page-storage.ts';

const storage = pageStorage(() => localStorage);
const place = (kind: MediaDeviceKind): string => `troupe-${kind}`;

/** Its id; null: none was chosen. */
export const chosenDevice = (kind: MediaDeviceKind): string | null => storage.getItem(place(kind));

export const chooseDevice = (kind: MediaDeviceKind, deviceId: string): void =>
  storage.setItem(place(kind), deviceId);

/** The usual device takes the place of one that is gone. */
export async function useChosenDevices(room: Pick<Room, 'switchActiveDevice'>): Promise<void> {
  try {
    for (const kind of ['audioinput', 'videoinput', 'audiooutput'] as const) {
      const deviceId = chosenDevice(kind);
      // An absent speaker is an error, while browsers replace an absent microphone or camera.
      if (deviceId && (kind !== 'audiooutput' || (await isThere(deviceId))))
        await room.switchActiveDevice(kind, deviceId, false);
    }
  } catch (error) {
    console.warn('chosen devices not used', error);
  }
}

async function isThere(id: string): Promise<boolean> {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return devices.some(({ deviceId }) => deviceId === id);
}
