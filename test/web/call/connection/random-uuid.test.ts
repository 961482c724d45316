import { afterEach, expect, test, vi } from 'vitest';
import { provideRandomUuid } from '../../../../src/web/call/connection/random-uuid.ts';

afterEach(() => vi.unstubAllGlobals());

const RANDOM = {
  getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(bytes),
};
const webcrypto = crypto;

test('a page without https gets random ids of version 4', () => {
  vi.stubGlobal('crypto', { ...RANDOM });

  provideRandomUuid();

  const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
  expect(new Set(ids).size).toBe(100);
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test('a page with https keeps its own', () => {
  vi.stubGlobal('crypto', { ...RANDOM, randomUUID: () => 'a-b-c-d-e' });

  provideRandomUuid();

  expect(crypto.randomUUID()).toBe('a-b-c-d-e');
});
