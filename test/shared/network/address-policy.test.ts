import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import {
  AddressRefused,
  createOutgoing,
  LOOPBACK_NETWORKS,
} from '#shared/network/address-policy.ts';

const publicOnly = createOutgoing('');
const withLoopback = createOutgoing(LOOPBACK_NETWORKS);

const lookupOf = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

function look(addresses: LookupAddress[] | Error, options: { all?: boolean } = {}) {
  const { lookup } = createOutgoing('10.0.0.0/8', (_name, _options, answer) =>
    addresses instanceof Error ? answer(addresses, []) : answer(null, addresses),
  );
  return new Promise((resolve, reject) => {
    lookup('name.example', options, (error, address, family) =>
      error ? reject(error) : resolve(options.all ? address : { address, family }),
    );
  });
}

describe('a URL', () => {
  test.each(['https://example.com/hook', 'https://8.8.8.8:8443/', 'https://[2606:4700::1]/x?y#z'])(
    'may be public: %s',
    (url) => {
      expect(publicOnly.checkUrl(url)).toBeNull();
    },
  );

  test.each([
    ['this machine', 'https://127.0.0.1/'],
    ['this machine by name', 'https://localhost/'],
    ['this machine by a name below', 'https://api.localhost./'],
    ['this machine in one number', 'https://2130706433/'],
    ['this machine in octal', 'https://0177.1/'],
    ['this machine in hex', 'https://0x7f000001/'],
    ['this machine, IPv6', 'https://[::1]/'],
    ['this machine, mapped', 'https://[::ffff:127.0.0.1]/'],
    ['this machine, IPv4-compatible', 'https://[::127.0.0.1]/'],
    ['this machine, translated', 'https://[64:ff9b::7f00:1]/'],
    ['this machine by 6to4', 'https://[2002:7f00:1::]/'],
    ['no address', 'https://0.0.0.0/'],
    ['no address, IPv6', 'https://[::]/'],
    ['a private network', 'https://10.1.2.3/'],
    ['a private network', 'https://172.31.0.1/'],
    ['a private network', 'https://192.168.1.1/'],
    ["a carrier's network", 'https://100.64.0.1/'],
    ["a cloud's metadata", 'https://169.254.169.254/latest'],
    ['link-local, IPv6', 'https://[fe80::1]/'],
    ['unique-local', 'https://[fd00::1]/'],
    ['site-local', 'https://[fec0::1]/'],
    ['multicast', 'https://224.0.0.1/'],
    ['multicast, IPv6', 'https://[ff02::1]/'],
    ['broadcast', 'https://255.255.255.255/'],
    ['a reserved network', 'https://240.0.0.1/'],
    ['documentation', 'https://203.0.113.1/'],
    ['documentation, IPv6', 'https://[2001:db8::1]/'],
  ])('may not be %s: %s', (_, url) => {
    expect(publicOnly.checkUrl(url)).toMatch(/private or reserved/);
  });

  test.each([
    ['ftp://example.com/', /must begin with https/],
    ['file:///etc/passwd', /must begin with https/],
    ['https://', /Not a URL/],
    ['//example.com', /Not a URL/],
    ['https://user:secret@example.com/', /user name or a password/],
    ['https://user@example.com/', /user name or a password/],
  ])('may not be %s', (url, why) => {
    expect(publicOnly.checkUrl(url)).toMatch(why);
  });

  test('may use plain HTTP for loopback only, unless plain HTTP is allowed anywhere', () => {
    for (const host of ['127.0.0.1:3000', '[::1]', 'localhost:8080', 'hook.localhost']) {
      expect(withLoopback.checkUrl(`http://${host}/`), host).toBeNull();
    }
    expect(withLoopback.checkUrl('http://example.com/')).toMatch(/must begin with https/);
    expect(withLoopback.checkUrl('http://example.com/', 'anywhere')).toBeNull();
    expect(publicOnly.checkUrl('http://127.0.0.1/')).toMatch(/private or reserved/);
    expect(publicOnly.checkUrl('http://127.0.0.1/', 'anywhere')).toMatch(/private or reserved/);
  });
});

describe('networks that are allowed', () => {
  const outgoing = createOutgoing(' 10.1.0.0/16, 192.168.7.7 ,fd12::/16,');

  test.each(['10.1.255.255', '192.168.7.7', '[fd12::1]', '[::ffff:10.1.0.1]', '8.8.8.8'])(
    'are these and the public ones: %s',
    (host) => {
      expect(outgoing.checkUrl(`https://${host}/`)).toBeNull();
    },
  );

  test.each(['10.2.0.1', '192.168.7.8', '[fd13::1]', '127.0.0.1'])('are no others: %s', (host) => {
    expect(outgoing.checkUrl(`https://${host}/`)).toMatch(/private or reserved/);
  });

  test.each(['10.0.0.0/33', 'localhost', '10.0.0', '::/129', '10.0.0.0/8;::1'])(
    'must read: %s',
    (networks) => {
      expect(() => createOutgoing(networks)).toThrow('no address or network');
    },
  );
});

/** The refusal for a name with these addresses; null: the lookup fails. */
const mayReach = (addresses: string[] | null) =>
  createOutgoing('', (_name, _options, answer) =>
    addresses === null
      ? answer(new Error('ENOTFOUND'), [])
      : answer(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        ),
  ).mayReach('https://models.example/v1');

describe('a host name', () => {
  test('resolves to its public and allowed addresses only', async () => {
    const addresses = lookupOf('127.0.0.1', '8.8.8.8', 'fe80::1', '::ffff:192.168.0.1', '10.9.9.9');

    expect(await look(addresses, { all: true })).toEqual(lookupOf('8.8.8.8', '10.9.9.9'));
    expect(await look(addresses)).toEqual({ address: '8.8.8.8', family: 4 });
  });

  test('is refused if it has no such address', async () => {
    await expect(look(lookupOf('127.0.0.1', '::1'))).rejects.toThrow(AddressRefused);
    await expect(look([], { all: true })).rejects.toThrow(AddressRefused);
  });

  test('is allowed if it has such an address, or if its lookup fails', async () => {
    expect(await mayReach(['93.184.216.34'])).toBeNull();
    expect(await mayReach(['10.0.0.1', '93.184.216.34'])).toBeNull();
    expect(await mayReach(null)).toBeNull();
    expect(await mayReach(['10.0.0.1'])).toContain('private');
  });

  test('fails with the error of its lookup', async () => {
    await expect(look(new Error('no such name'))).rejects.toThrow('no such name');
  });
});

const addressesOf = (hostname: string, hasTls: boolean, ...addresses: string[]) =>
  createOutgoing('10.0.0.0/8,127.0.0.1', (_name, _options, answer) =>
    answer(null, lookupOf(...addresses)),
  )
    .addressesOf(hostname, hasTls)
    .then(
      (usable) => usable.map(({ address }) => address),
      (error: AddressRefused) => error.message,
    );

describe('the addresses of a host', () => {
  test.each([
    ['rooms.example', ['8.8.8.8', '10.1.1.1', '192.168.1.1'], ['8.8.8.8', '10.1.1.1']],
    ['8.8.8.8', [], ['8.8.8.8']],
    ['0x8080808', [], ['8.8.8.8']],
    ['[2606:4700::1]', [], ['2606:4700::1']],
    ['[::ffff:8.8.8.8]', [], ['8.8.8.8']],
    ['localhost', [], ['127.0.0.1']],
  ])('with TLS are the public and the allowed ones: %s', async (host, resolved, usable) => {
    expect(await addressesOf(host, true, ...resolved)).toEqual(usable);
  });

  test.each([
    ['rooms.example', ['8.8.8.8', '10.1.1.1', '192.168.1.1'], ['10.1.1.1']],
    ['10.2.2.2', [], ['10.2.2.2']],
    ['media.localhost', [], ['127.0.0.1']],
  ])('without TLS are the allowed ones: %s', async (host, resolved, usable) => {
    expect(await addressesOf(host, false, ...resolved)).toEqual(usable);
  });

  test.each([
    ['rooms.example', ['192.168.1.1', '::1'], true, /name points into a private/],
    ['192.168.1.1', [], true, /address is in a private/],
    ['0300.0250.1.1', [], true, /address is in a private/],
    ['rooms.example', ['8.8.8.8'], false, /Without TLS/],
    ['8.8.8.8', [], false, /Without TLS/],
    ['rooms.example', ['192.168.1.1'], false, /name points into a private/],
  ])('may be none: %s %o, TLS %o', async (host, resolved, hasTls, why) => {
    expect(await addressesOf(host, hasTls, ...resolved)).toMatch(why);
  });
});
