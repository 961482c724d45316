import { BlockList, isIP } from 'node:net';

/** A set of addresses, written as comma-separated addresses and CIDR blocks. */
export type Networks = { contains(address: string): boolean };

export function parseNetworks(text: string): Networks {
  const blocks = new BlockList();
  for (const entry of entriesOf(text)) {
    const network = parseNetwork(entry);
    if (!network) throw new Error(problemOf(entry));
    blocks.addSubnet(network.address, network.length, familyOf(network.address));
  }
  return {
    contains(address) {
      // A link-local address names its interface.
      const [plain = ''] = address.split('%');
      return isIP(plain) !== 0 && blocks.check(plain, familyOf(plain));
    },
  };
}

/** Why the list is invalid, as the rest of a sentence that begins with its setting; else null. */
export function networksProblem(text: string): string | null {
  const wrong = entriesOf(text).find((entry) => !parseNetwork(entry));
  return wrong === undefined ? null : problemOf(wrong);
}

/** Some proxies append the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
export const withoutPort = (address: string): string =>
  address.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');

const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

function parseNetwork(entry: string): { address: string; length: number } | null {
  const [, address = '', length] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return null;
  const maxLength = version === 4 ? 32 : 128;
  const network = { address, length: Number(length ?? maxLength) };
  return network.length <= maxLength ? network : null;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const problemOf = (entry: string): string =>
  `holds ${entry}, which is no address or network such as 10.0.0.0/8`;
