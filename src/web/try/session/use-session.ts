import { useCallback, useEffect, useReducer, useRef } from 'react';
import { BotroomSeats } from '../botroom/botroom-seats.ts';
import { LiveSession } from './live-session.ts';
import type { SeatEvents } from './seats.ts';
import { RoomSeats } from './room-seats.ts';
import type { Publish } from '../speech/own-speech.ts';
import type { Avatar, Service, Transport } from '../service.ts';
import { SoundLevel } from '../../call/sound/sound-level.ts';
import type { Speak } from './utterance-line.ts';
import { advance, initialState } from './try-state.ts';

const seats = { mediaserver: RoomSeats, botroom: BotroomSeats };

/** Connects the page's state to the live session. The media elements exist as long as the page. */
export function useSession(service: Service, speak: Speak) {
  const [state, dispatch] = useReducer(advance, initialState);
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const audio = useRef<HTMLAudioElement>(null);
  const level = useRef<SoundLevel>(null);
  const session = useRef<LiveSession>(null);
  const picked = useRef<{ avatar: Avatar; transport: Transport }>(null);
  const lastId = useRef(0);

  const leave = useCallback((isPageLeft = false) => {
    void session.current?.close(isPageLeft);
    session.current = null;
    dispatch({ type: 'left' });
  }, []);

  const pick = useCallback(
    (avatar: Avatar, transport: Transport) => {
      if (!video.current || !canvas.current || !audio.current) return;
      picked.current = { avatar, transport };
      void session.current?.close();
      level.current ??= new SoundLevel();
      void level.current.wake();
      dispatch({ type: 'picked', avatar, transport });
      const stage = {
        video: video.current,
        canvas: canvas.current,
        audio: audio.current,
        level: level.current,
      };
      const takeSeats = (events: SeatEvents) => new seats[transport](stage, speak, events);
      const fresh = new LiveSession(service, takeSeats, dispatch);
      session.current = fresh;
      void fresh.open(avatar, transport);
    },
    [service, speak],
  );

  const say = useCallback((text: string, voice: string) => {
    const id = ++lastId.current;
    dispatch({ type: 'typed', id, text });
    session.current?.say(id, text, voice);
  }, []);

  const voice = useCallback<Publish>(
    async (track, signal) => {
      if (session.current?.isTextOnly && picked.current)
        pick(picked.current.avatar, picked.current.transport);
      return session.current?.voice(track, signal) ?? (() => {});
    },
    [pick],
  );

  const stop = useCallback(() => void session.current?.stop(), []);
  const allowSound = useCallback(() => void session.current?.allowSound(), []);

  useEffect(() => {
    // The browser may restore the page from its cache; it then shows the avatars.
    const leavePage = () => leave(true);
    window.addEventListener('pagehide', leavePage);
    return () => window.removeEventListener('pagehide', leavePage);
  }, [leave]);

  useEffect(
    () => () => {
      void session.current?.close();
      void level.current?.close();
    },
    [],
  );

  return {
    state,
    stage: { video, canvas, audio, level },
    pick,
    say,
    voice,
    stop,
    allowSound,
    leave,
  };
}
