import { describe, expect, test } from 'vitest';
import { clientAddress } from '../../../src/shared/network/client-address.ts';
import { parseNetworks } from '../../../src/shared/network/networks.ts';

const proxies = parseNetworks('127.0.0.1, 10.0.0.0/8');

const addressOf = (remoteAddress: string | undefined, forwarded?: string, trusted = true) =>
  clientAddress(
    {
      socket: { remoteAddress },
      headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
    },
    trusted ? proxies : null,
  );

describe("a client's address", () => {
  test.each([
    { of: 'a direct client', peer: '203.0.113.1', forwarded: undefined, is: '203.0.113.1' },
    { of: 'a client of a proxy', peer: '127.0.0.1', forwarded: '203.0.113.1', is: '203.0.113.1' },
    {
      of: 'a client of two proxies',
      peer: '127.0.0.1',
      forwarded: '203.0.113.1, 10.1.2.3',
      is: '203.0.113.1',
    },
    {
      of: 'a client that claims another',
      peer: '127.0.0.1',
      forwarded: '198.51.100.1,203.0.113.1',
      is: '203.0.113.1',
    },
    {
      of: 'a client that claims one directly',
      peer: '203.0.113.1',
      forwarded: '198.51.100.1',
      is: '203.0.113.1',
    },
    { of: 'a proxy that adds nothing', peer: '127.0.0.1', forwarded: ' , ', is: '127.0.0.1' },
    { of: 'a proxy by IPv6', peer: '::ffff:127.0.0.1', forwarded: '::1', is: '::1' },
    { of: 'a closed connection', peer: undefined, forwarded: '203.0.113.1', is: '' },
  ])('is $is for $of', ({ peer, forwarded, is }) => {
    expect(addressOf(peer, forwarded)).toBe(is);
  });

  test('is the peer where no proxy is trusted', () => {
    expect(addressOf('127.0.0.1', '203.0.113.1', false)).toBe('127.0.0.1');
  });
});
