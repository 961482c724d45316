import { useCallback, useEffect, useState } from 'react';
import { LinkWanted, PasswordWanted } from '../access/page-access.ts';
import { noticeOf, type Notice } from '../try/notices.ts';
import type { Host, Service } from '../try/service.ts';

export type Hosts =
  | { type: 'loading' }
  | { type: 'here'; hosts: Host[] }
  /** Without rights. `takesPassword`: the admin password opens the page. */
  | { type: 'stranger'; takesPassword: boolean; problem: string | null }
  | { type: 'failed'; notice: Notice };

export function useHosts(service: Service): [Hosts, load: () => void] {
  const [hosts, setHosts] = useState<Hosts>({ type: 'loading' });

  const load = useCallback(() => {
    setHosts({ type: 'loading' });
    service.hosts().then(
      (list) => setHosts({ type: 'here', hosts: list }),
      (error: unknown) => setHosts(hostsAfter(error)),
    );
  }, [service]);

  useEffect(load, [load]);
  return [hosts, load];
}

function hostsAfter(error: unknown): Hosts {
  if (error instanceof LinkWanted) {
    const problem = error.isSpent ? error.message : null;
    return { type: 'stranger', takesPassword: false, problem };
  }
  if (error instanceof PasswordWanted) {
    const problem = error.isWrong ? 'Wrong admin password.' : null;
    return { type: 'stranger', takesPassword: true, problem };
  }
  return { type: 'failed', notice: noticeOf(error) };
}
