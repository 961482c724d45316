import { describe, expect, test } from 'vitest';
import { isWorkerToken } from '../../src/gateway/worker-token.ts';

describe('worker token', () => {
  test('is taken as a bearer, however the scheme is written', () => {
    expect(isWorkerToken('Bearer secret-secret', 'secret-secret')).toBe(true);
    expect(isWorkerToken('bearer secret-secret', 'secret-secret')).toBe(true);
  });

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'secret-secret',
    'Basic secret-secret',
    'Bearer secret-secre',
    'Bearer secret-secret ',
    'Bearer secret-secretx',
    'Bearer Secret-secret',
  ])('refuses %j', (header) => {
    expect(isWorkerToken(header, 'secret-secret')).toBe(false);
  });
});
