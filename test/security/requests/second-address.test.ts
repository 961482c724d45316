/*
 * Names of this machine with several addresses: what connections must obey (one request at a time,
 * refusals of methods) is set on one server, so no second one may listen.
 */
import dns from 'node:dns';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildApp } from '../../support/api/build-app.ts';

afterEach(() => vi.restoreAllMocks());

/** As on machines where it is 127.0.0.1 and ::1, which others lack. */
function giveLocalhostTwoAddresses(): void {
  const lookup = dns.lookup as (...parts: unknown[]) => void;
  vi.spyOn(dns, 'lookup').mockImplementation((...parts: unknown[]) => {
    const [name, options, answer] = parts as [string, dns.LookupOptions, typeof lookup];
    if (name !== 'localhost' || !options.all) return lookup(...parts);
    answer(
      null,
      ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
    );
  });
}

const listensAt = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

describe('a control plane with HOST=localhost', () => {
  test('listens at one address, where its limits hold', async () => {
    giveLocalhostTwoAddresses();
    const service = await buildApp({ env: { HOST: 'localhost' } });
    try {
      const addresses = service.app.server.addresses() as AddressInfo[];
      expect(addresses.map(({ address }) => address)).toEqual(['127.0.0.1']);
      const { port } = addresses[0]!;
      expect(await listensAt('127.0.0.1', port)).toBe(true);
      expect(await listensAt('127.0.0.2', port)).toBe(false);
    } finally {
      await service.close();
    }
  });
});
