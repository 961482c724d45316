import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { follow } from './follow.ts';
import { isLongList, withItem } from './long-lists.ts';
import { keyOf } from './queries.ts';
import type { Session } from '../../../clients/typescript/src/generated/models.ts';

const SESSION_EVENTS = ['created', 'started', 'ended', 'changed'].map((name) => `session.${name}`);

/** Paths whose data are stale after an event. */
const STALE_PATHS = ['/v1/sessions', '/v1/usage', '/v1/calls'];

/** Many sessions may change at once; lists are read again at most this often. */
const REFRESH_MS = 1_000;

/** Follows the sessions of the account, and reads again what an event made stale. */
export function useLiveSessions(isOn: boolean): 'connecting' | 'live' | 'broken' {
  const client = useQueryClient();
  const [state, setState] = useState<'connecting' | 'live' | 'broken'>('connecting');
  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStale = false;
    let isEnded = false;
    const refresh = () => {
      isStale = true;
      timer ??= setTimeout(() => void readAgain(), REFRESH_MS);
    };
    // One after another: the next one would break off those that still read.
    const readAgain = async () => {
      isStale = false;
      await Promise.all(
        STALE_PATHS.map((path) =>
          client.invalidateQueries({
            queryKey: keyOf(path),
            predicate: ({ state }) => !isLongList(state.data),
          }),
        ),
      );
      timer = undefined;
      if (isStale && !isEnded) refresh();
    };
    let isReturn = false;
    const end = follow('/v1/events', (source) => {
      source.addEventListener('hello', () => {
        setState('live');
        // A new connection does not name the last event.
        if (isReturn) refresh();
        isReturn = true;
      });
      source.addEventListener('error', () => {
        setState('broken');
        // The sign-in may have ended.
        void client.invalidateQueries({ queryKey: keyOf('/console/api/me') });
      });
      source.addEventListener('reset', refresh);
      for (const name of SESSION_EVENTS) {
        source.addEventListener(name, ({ data }: MessageEvent<string>) => {
          const session = JSON.parse(data) as Session;
          client.setQueriesData({ queryKey: keyOf('/v1/sessions') }, (answer: unknown) =>
            withItem(answer, session),
          );
          refresh();
        });
      }
    });
    return () => {
      isEnded = true;
      clearTimeout(timer);
      end();
    };
  }, [client, isOn]);
  return state;
}

/** Follows the fleet; its events carry the whole state. */
export function useLiveFleet(isOn: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isOn) return;
    return follow('/v1/fleet/events', (source) => {
      source.addEventListener('fleet', ({ data }: MessageEvent<string>) => {
        const { workers, pressure } = JSON.parse(data) as { workers: unknown; pressure: unknown };
        client.setQueryData(keyOf('/v1/fleet/workers'), { data: workers });
        client.setQueryData(keyOf('/v1/fleet/pressure'), pressure);
      });
    });
  }, [client, isOn]);
}
