import { useCallback, useEffect, useRef, useState } from 'react';
import { Refusal } from '../../api/answers.ts';
import { noticeOf } from '../notices.ts';
import type { OwnAvatar, Service } from '../service.ts';

type OwnPhoto =
  | { type: 'none' }
  | { type: 'chosen'; photo: File }
  | { type: 'building'; photo: File; percent: number }
  | { type: 'failed'; advice: string };

export type OwnPhotoActions = {
  choose(photo: File): void;
  make(name: string): void;
  leave(): void;
};

const CONSENT = 'Confirmed on the try page: the person in this photo agrees.';
const POLL_EVERY_MS = 700;

/** Builds an avatar from a photo. Calls `onReady` when it is ready. */
export function useOwnPhoto(service: Service, onReady: () => void): [OwnPhoto, OwnPhotoActions] {
  const [state, setState] = useState<OwnPhoto>({ type: 'none' });
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);

  const fail = useCallback((error: unknown) => {
    // The service's message about a photo is written for its sender.
    const advice = error instanceof Refusal ? error.message : noticeOf(error).advice;
    setState({ type: 'failed', advice });
  }, []);

  const follow = useCallback(
    (photo: File, { id, status, progress, advice = '' }: OwnAvatar) => {
      if (status === 'failed') return setState({ type: 'failed', advice });
      if (status === 'ready') {
        setState({ type: 'none' });
        return onReady();
      }
      setState({ type: 'building', photo, percent: progress });
      timer.current = window.setTimeout(() => {
        service.avatar(id).then((avatar) => follow(photo, avatar), fail);
      }, POLL_EVERY_MS);
    },
    [service, onReady, fail],
  );

  const make = (name: string) => {
    if (state.type !== 'chosen') return;
    const { photo } = state;
    setState({ type: 'building', photo, percent: 0 });
    service.createAvatar(name, photo, CONSENT).then((avatar) => follow(photo, avatar), fail);
  };
  const choose = (photo: File) => setState({ type: 'chosen', photo });
  return [state, { choose, make, leave: () => setState({ type: 'none' }) }];
}
