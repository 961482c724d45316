import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Chat } from '../call/connection/chat-service.ts';
import { onIntent } from '../call/connection/intent.ts';
import { loadMedia } from '../call/connection/load-media.ts';
import { SavedCall } from '../call/connection/saved-call.ts';
import { VisitorCall } from '../call/state/visitor-call.ts';

/** Connects the page to the visitor's call. The media elements exist as long as the page. */
export function useCall(agentId: string, linkToken: string | null) {
  const video = useRef<HTMLVideoElement>(null);
  const audio = useRef<HTMLAudioElement>(null);
  const [call] = useState(
    () =>
      new VisitorCall({
        chat: new Chat(agentId, linkToken),
        saved: new SavedCall(agentId, sessionStorage),
        stage: () =>
          video.current && audio.current ? { video: video.current, audio: audio.current } : null,
        loadMedia,
      }),
  );
  const state = useSyncExternalStore(call.subscribe, () => call.state);
  useEffect(() => {
    void call.look();
    return () => void call.close();
  }, [call]);
  useEffect(() => onIntent(document, call.prepare), [call]);

  const { room, look, join, leave, say, turn, allowSound, again } = call;
  return { state, room, stage: { video, audio }, look, join, leave, say, turn, allowSound, again };
}

export type Call = ReturnType<typeof useCall>;
