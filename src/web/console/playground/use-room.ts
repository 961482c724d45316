import { useEffect, useRef, useState } from 'react';
import { call } from '../service/service.ts';
import { initialState, PlaygroundRoom, type RoomState } from './playground-room.ts';
import type { Place } from './room-choice.tsx';

/** Joins the room while the component is shown. A room of the service is closed afterwards. */
export function useRoom({ url, token, own }: Place) {
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const audio = useRef<HTMLAudioElement>(null);
  const room = useRef<PlaygroundRoom>(null);
  const [state, setState] = useState<RoomState>(initialState);
  const name = own?.name;
  useEffect(() => {
    if (!video.current || !canvas.current || !audio.current) return;
    const elements = { video: video.current, canvas: canvas.current, audio: audio.current };
    const joined = new PlaygroundRoom(elements, setState);
    room.current = joined;
    void joined.join(url, token);
    return () => {
      room.current = null;
      void joined.close();
      // Otherwise the media server closes it when it has been empty for a while.
      if (name) call('DELETE', `/v1/playground/rooms/${name}`).catch(() => {});
    };
  }, [url, token, name]);
  return { state, room, video, canvas, audio };
}
