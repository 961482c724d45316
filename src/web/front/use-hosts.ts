import { useCallback, useEffect, useState } from 'react';
import { LinkWanted, PasswordWanted } from '../access/page-access.ts';
import { Unreachable } from '../api/answers.ts';
import type { Notice } from '../try/notices.ts';
import type { Host, Service } from '../try/service.ts';
import type { FrontWords } from './words/front-words.ts';

export type Hosts =
  | { type: 'loading' }
  | { type: 'here'; hosts: Host[] }
  /** Without rights. `takesPassword`: the admin password opens the page. */
  | { type: 'stranger'; takesPassword: boolean; problem: string | null }
  | { type: 'failed'; notice: Notice };

export function useHosts(service: Service, words: FrontWords): [Hosts, load: () => void] {
  const [hosts, setHosts] = useState<Hosts>({ type: 'loading' });

  const load = useCallback(() => {
    setHosts({ type: 'loading' });
    service.hosts().then(
      (list) => setHosts({ type: 'here', hosts: list }),
      (error: unknown) => setHosts(hostsAfter(error, words)),
    );
  }, [service, words]);

  useEffect(load, [load]);
  return [hosts, load];
}

function hostsAfter(error: unknown, words: FrontWords): Hosts {
  if (error instanceof LinkWanted) {
    const problem = error.isSpent ? words.linkSpent : null;
    return { type: 'stranger', takesPassword: false, problem };
  }
  if (error instanceof PasswordWanted) {
    const problem = error.isWrong ? words.wrongPassword : null;
    return { type: 'stranger', takesPassword: true, problem };
  }
  const [title, advice] =
    error instanceof Unreachable
      ? [words.unreachable, words.unreachableAdvice]
      : [words.failed, words.failedAdvice];
  return { type: 'failed', notice: { title, advice, canRetry: true } };
}
