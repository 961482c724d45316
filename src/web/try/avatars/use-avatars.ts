import { useCallback, useEffect, useState } from 'react';
import { noticeOf, type Notice } from '../notices.ts';
import type { Avatar, Service } from '../service.ts';

export type Avatars =
  | { type: 'loading' }
  | { type: 'here'; avatars: Avatar[] }
  | { type: 'failed'; notice: Notice };

const noAvatar: Notice = {
  title: 'No avatars yet',
  advice: 'The service is running, but no avatar is installed. Add one, then try again.',
  canRetry: true,
};

export function useAvatars(service: Service): [Avatars, retry: () => void] {
  const [avatars, setAvatars] = useState<Avatars>({ type: 'loading' });

  const load = useCallback(() => {
    setAvatars({ type: 'loading' });
    service.avatars().then(
      (list) =>
        setAvatars(
          list.length > 0 ? { type: 'here', avatars: list } : { type: 'failed', notice: noAvatar },
        ),
      (error: unknown) => setAvatars({ type: 'failed', notice: noticeOf(error) }),
    );
  }, [service]);

  useEffect(load, [load]);
  return [avatars, load];
}
