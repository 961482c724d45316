import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from './queries.ts';

const SESSION_EVENTS = ['created', 'started', 'ended', 'changed'].map((name) => `session.${name}`);

/** Many sessions may change at once; lists are read again at most this often. */
const REFRESH_MS = 1_000;

/**
 * Follows the sessions of the account, and reads again what an event made old. The browser connects
 * again by itself, and names the last event that it got.
 */
export function useLiveSessions(isOn: boolean): 'connecting' | 'live' | 'broken' {
  const client = useQueryClient();
  const [state, setState] = useState<'connecting' | 'live' | 'broken'>('connecting');
  useEffect(() => {
    if (!isOn) return;
    const source = new EventSource('/v1/events');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const path of ['/v1/sessions', '/v1/usage', '/v1/calls', '/v1/history'])
          void client.invalidateQueries({ queryKey: keyOf(path) });
      }, REFRESH_MS);
    };
    source.addEventListener('hello', () => setState('live'));
    source.addEventListener('error', () => setState('broken'));
    for (const name of [...SESSION_EVENTS, 'reset']) source.addEventListener(name, refresh);
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [client, isOn]);
  return state;
}

/** Follows the fleet; its events carry the whole state. */
export function useLiveFleet(isOn: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isOn) return;
    const source = new EventSource('/v1/fleet/events');
    source.addEventListener('fleet', ({ data }: MessageEvent<string>) => {
      const { workers, pressure } = JSON.parse(data) as { workers: unknown; pressure: unknown };
      client.setQueryData(keyOf('/v1/fleet/workers'), { data: workers });
      client.setQueryData(keyOf('/v1/fleet/pressure'), pressure);
    });
    return () => source.close();
  }, [client, isOn]);
}
