import { describe, expect, test } from 'vitest';
import { isWithin, parseNetwork } from '../../src/accounts/networks.ts';

describe('a network', () => {
  test.each(['10.0.0.0/8', '203.0.113.7', '0.0.0.0/0', '2001:db8::/32', '::1', '::/0'])(
    'may be written as %s',
    (text) => {
      expect(parseNetwork(text)).not.toBeNull();
    },
  );

  test.each([
    '',
    'example.com',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '::/129',
    'fe80::1%eth0',
    '10.0.0.0/8, ::1',
  ])('may not be written as %o', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });

  test.each([
    { address: '10.1.2.3', isIn: true },
    { address: '::ffff:10.1.2.3', isIn: true },
    { address: '11.1.2.3', isIn: false },
    { address: '2001:db8:1::5', isIn: true },
    { address: '2001:db9::5', isIn: false },
    { address: '203.0.113.7', isIn: true },
    { address: '2001:db8::1%eth0', isIn: true },
    { address: '203.0.113.8', isIn: false },
  ])('of several holds $address: $isIn', ({ address, isIn }) => {
    expect(isWithin(address, ['10.0.0.0/8', '2001:db8::/32', '203.0.113.7'])).toBe(isIn);
  });

  test('holds nothing if there is none', () => {
    expect(isWithin('10.0.0.1', [])).toBe(false);
  });
});
