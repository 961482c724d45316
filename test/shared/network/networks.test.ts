import { describe, expect, test } from 'vitest';
import {
  networksProblem,
  parseNetworks,
  withoutPort,
} from '../../../src/shared/network/networks.ts';

describe('a list of networks', () => {
  const networks = parseNetworks(' 10.1.0.0/16, 192.168.7.7 ,fd12::/16,::1,fe80::/10,');

  test.each([
    '10.1.0.0',
    '10.1.255.255',
    '192.168.7.7',
    'fd12::1',
    '::1',
    '::ffff:10.1.2.3',
    'fe80::1%eth0',
  ])('contains %s', (address) => {
    expect(networks.contains(address)).toBe(true);
  });

  test.each(['10.2.0.1', '192.168.7.8', 'fd13::1', '::2', '127.0.0.1', '', '10.1.0.1:80', 'name'])(
    'does not contain "%s"',
    (address) => {
      expect(networks.contains(address)).toBe(false);
    },
  );

  test('may be empty', () => {
    expect(parseNetworks('').contains('127.0.0.1')).toBe(false);
    expect(networksProblem(' , ')).toBeNull();
  });

  test.each([
    '10.0.0.0/33',
    'localhost',
    '10.0.0',
    '::/129',
    '10.0.0.0/8;::1',
    '/8',
    '10.0.0.0/',
    'fe80::1%lo',
  ])('names what is no network: %s', (text) => {
    expect(networksProblem(`127.0.0.1, ${text}`)).toBe(
      `holds ${text}, which is no address or network such as 10.0.0.0/8`,
    );
    expect(() => parseNetworks(text)).toThrow(`holds ${text}`);
  });
});

describe('an address with a port', () => {
  test.each([
    { given: '203.0.113.7', plain: '203.0.113.7' },
    { given: '203.0.113.7:4711', plain: '203.0.113.7' },
    { given: '[2001:db8::1]:4711', plain: '2001:db8::1' },
    { given: '[2001:db8::1]', plain: '2001:db8::1' },
    { given: '2001:db8::1', plain: '2001:db8::1' },
    { given: '::ffff:203.0.113.7', plain: '::ffff:203.0.113.7' },
  ])('loses it: $given', ({ given, plain }) => {
    expect(withoutPort(given)).toBe(plain);
  });
});
