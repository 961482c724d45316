import { BlockList, isIP } from 'node:net';

type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' };

/** `10.0.0.0/8`, `2001:db8::/32`, or one address. Null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [, address = '', length] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return null;
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  return bits <= most ? { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' } : null;
}

/** `networks` are valid. An IPv4 address may be written as IPv6 (`::ffff:10.0.0.1`). */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network) list.addSubnet(network.address, network.bits, network.family);
  }
  // A link-local address names its interface.
  const [plain = ''] = address.split('%');
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}
