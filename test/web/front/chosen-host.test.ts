import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chosenHost, keepChoice } from '../../../src/web/front/chosen-host.ts';

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
  test('begin with the newest one, or the one that this browser chose', () => {
    const hosts = [host('newest'), host('first')];
    expect(chosenHost(hosts)?.id).toBe('newest');

    keepChoice(hosts[1]!);

    expect(chosenHost(hosts)?.id).toBe('first');
    expect(chosenHost([hosts[0]!])?.id).toBe('newest');
    expect(chosenHost([])).toBeNull();
  });
});
