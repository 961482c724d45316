import { useCallback, useEffect, useState } from 'react';
import { noticeOf, type Notice } from './notices.ts';
import type { Avatar, Service } from './service.ts';

export type Avatars =
  | { type: 'loading' }
  | { type: 'here'; avatars: Avatar[] }
  | { type: 'failed'; notice: Notice };

export function useAvatars(service: Service): [Avatars, retry: () => void] {
  const [avatars, setAvatars] = useState<Avatars>({ type: 'loading' });

  const load = useCallback(() => {
    setAvatars({ type: 'loading' });
    service.avatars().then(
      (list) => setAvatars({ type: 'here', avatars: list }),
      (error: unknown) => setAvatars({ type: 'failed', notice: noticeOf(error) }),
    );
  }, [service]);

  useEffect(load, [load]);
  return [avatars, load];
}
