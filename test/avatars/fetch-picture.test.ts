import { describe, expect, test } from 'vitest';
import { createOutgoing } from '#shared/network/address-policy.ts';
import { httpFetchPicture } from '../../src/avatars/fetch-picture.ts';
import { TestClock } from '../support/test-clock.ts';

describe('fetching a picture', () => {
  test('calls no name that resolves to a private address', async () => {
    const clock = new TestClock();
    const inward = createOutgoing('', (_name, _options, done) =>
      done(null, [{ address: '10.1.2.3', family: 4 }]),
    );

    const fetching = httpFetchPicture(inward, clock)('https://pictures.example/ada.jpg');

    await expect(fetching).rejects.toThrow('points into a private or reserved network');
    expect(clock.waiting).toBe(0);
  });
});
