import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chosenHost, hostsOf, keepChoice } from '../../../src/web/front/hosts.ts';

const access = { headers: async () => ({ 'x-page-token': 'a token' }) };
const host = (id: string) => ({ id, name: `Agent ${id}`, avatar_id: 'avatar' });

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('the agents of the front page', () => {
  test('are those that need no link token', async () => {
    const requests: [string, unknown][] = [];
    vi.stubGlobal('fetch', async (path: string, { headers }: RequestInit) => {
      requests.push([path, headers]);
      const agents = [
        { ...host('open'), is_private: false },
        { ...host('closed'), is_private: true },
      ];
      return Response.json({ data: agents });
    });

    expect((await hostsOf(access)).map(({ id }) => id)).toEqual(['open']);
    expect(requests).toEqual([['/v1/agents?limit=50', { 'x-page-token': 'a token' }]]);
  });

  test('begin with the newest one, or the one that this browser chose', () => {
    const hosts = [host('newest'), host('first')];
    expect(chosenHost(hosts)?.id).toBe('newest');

    keepChoice(hosts[1]!);

    expect(chosenHost(hosts)?.id).toBe('first');
    expect(chosenHost([hosts[0]!])?.id).toBe('newest');
    expect(chosenHost([])).toBeNull();
  });
});
