import { useCallback, useEffect, useRef, useState } from 'react';
import { SoundLevel } from '../../call/sound/sound-level.ts';
import { deviceProblemOf } from '../../call/devices/device-problems.ts';
import type { DeviceProblem } from '../../call/state/call-state.ts';

type CheckState =
  | { type: 'closed' }
  | { type: 'open' }
  | { type: 'refused'; problem: DeviceProblem };

/** Local microphone test before a call. Sends no audio. */
export function useMicrophoneCheck(isWanted: boolean) {
  const [state, setState] = useState<CheckState>({ type: 'closed' });
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  const [deviceId, setDeviceId] = useState<string | null>(null);
  const level = useRef<SoundLevel>(null);
  const stream = useRef<MediaStream>(null);

  const close = useCallback(() => {
    for (const track of stream.current?.getTracks() ?? []) track.stop();
    stream.current = null;
    void level.current?.close();
    level.current = null;
    // A problem stays visible until the next attempt.
    setState((before) => (before.type === 'refused' ? before : { type: 'closed' }));
  }, []);

  const choose = useCallback(
    async (wanted: string | null) => {
      close();
      setState({ type: 'closed' });
      try {
        const audio = wanted ? { deviceId: { exact: wanted } } : true;
        const opened = await navigator.mediaDevices.getUserMedia({ audio });
        stream.current = opened;
        const [track] = opened.getAudioTracks();
        const all = await navigator.mediaDevices.enumerateDevices();
        setDevices(all.filter(({ kind }) => kind === 'audioinput'));
        setDeviceId(track?.getSettings().deviceId ?? null);
        level.current = new SoundLevel();
        if (track) level.current.listen(track);
        void level.current.wake();
        setState({ type: 'open' });
      } catch (error) {
        setState({ type: 'refused', problem: deviceProblemOf(error) });
      }
    },
    [close],
  );

  useEffect(() => {
    if (!isWanted) close();
  }, [isWanted, close]);
  useEffect(() => close, [close]);

  return {
    state,
    devices,
    deviceId,
    level,
    open: () => void choose(deviceId),
    choose: (id: string) => void choose(id),
    close,
  };
}

export type MicrophoneCheck = ReturnType<typeof useMicrophoneCheck>;
