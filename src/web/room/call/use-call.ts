import type { Room } from 'livekit-client';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { Refusal } from '../../api/answers.ts';
import { Chat } from './chat.ts';
import { LiveCall, type Wishes } from './live-call.ts';
import { refusalOf } from './refusals.ts';
import { advance, initialState, type DeviceKind } from './room-state.ts';
import { SavedCall } from './saved-call.ts';

/** Connects the page's state to the live call. The media elements exist as long as the page. */
export function useCall(agentId: string, linkToken: string | null) {
  const [state, dispatch] = useReducer(advance, initialState);
  const [room, setRoom] = useState<Room | null>(null);
  const [parts] = useState(() => ({
    chat: new Chat(agentId, linkToken),
    saved: new SavedCall(agentId, sessionStorage),
  }));
  const video = useRef<HTMLVideoElement>(null);
  const audio = useRef<HTMLAudioElement>(null);
  const call = useRef<LiveCall>(null);

  const begin = useCallback((): LiveCall | null => {
    if (!video.current || !audio.current) return null;
    void call.current?.close();
    const stage = { video: video.current, audio: audio.current };
    call.current = new LiveCall({ ...parts, stage, dispatch });
    setRoom(call.current.room);
    return call.current;
  }, [parts]);

  const look = useCallback(async () => {
    try {
      const agent = await parts.chat.agent();
      dispatch({ type: 'found', agent });
      const saved = parts.saved.read();
      if (saved) await begin()?.comeBack(saved);
    } catch (error) {
      if (!(error instanceof Refusal && [401, 404].includes(error.status)))
        console.warn('agent not loaded', error);
      dispatch({ type: 'refused', ...refusalOf(error) });
    }
  }, [parts, begin]);

  useEffect(() => void look(), [look]);
  useEffect(() => () => void call.current?.close(), []);

  const join = useCallback((wishes: Wishes) => void begin()?.join(wishes), [begin]);
  const leave = useCallback(() => void call.current?.leave(), []);
  const say = useCallback((text: string) => call.current?.say(text), []);
  const turn = useCallback(
    (kind: DeviceKind, isOn: boolean) => void call.current?.turn(kind, isOn),
    [],
  );
  const allowSound = useCallback(() => void call.current?.allowSound(), []);
  const again = useCallback(() => dispatch({ type: 'again' }), []);

  return {
    state,
    room,
    stage: { video, audio },
    look,
    join,
    leave,
    say,
    turn,
    allowSound,
    again,
  };
}

export type Call = ReturnType<typeof useCall>;
