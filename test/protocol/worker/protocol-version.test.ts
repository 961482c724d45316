import { describe, expect, test } from 'vitest';
import { agreedProtocol, PROTOCOLS } from '#protocol/worker/protocol-version.ts';
import { PROTOCOL_VERSION } from '#protocol/worker/worker-messages.ts';

describe('the protocol versions', () => {
  test('reach back to the version before', () => {
    const oldest = Math.max(1, PROTOCOL_VERSION - 1);

    expect(PROTOCOLS).toEqual({ oldest, newest: PROTOCOL_VERSION });
  });

  test.each([
    [{ oldest: 1, newest: 1 }, { oldest: 1, newest: 1 }, 1],
    [{ oldest: 1, newest: 2 }, { oldest: 2, newest: 3 }, 2],
    [{ oldest: 2, newest: 3 }, { oldest: 2, newest: 3 }, 3],
    [{ oldest: 1, newest: 1 }, { oldest: 2, newest: 3 }, null],
    [{ oldest: 4, newest: 5 }, { oldest: 2, newest: 3 }, null],
  ])('of %j and %j agree on %j', (firstRange, otherRange, agreed) => {
    expect(agreedProtocol(firstRange, otherRange)).toBe(agreed);
    expect(agreedProtocol(otherRange, firstRange)).toBe(agreed);
  });
});
