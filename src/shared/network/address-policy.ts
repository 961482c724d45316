/*
 * Address policy for connections on behalf of callers (SSRF protection): public addresses, and
 * networks that the operator allows. A name may resolve to a private address at any time. So a URL
 * is checked when it is saved and before each connection, which goes to the address that was
 * checked: by the request's `lookup`, or to one of `addressesOf`.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseNetworks } from './networks.ts';

export type Outgoing = {
  /** Allowed besides public addresses, separated by commas. */
  readonly networks: string;
  /**
   * Why the URL is refused, as a text for the caller; null if it is allowed. `http`: where plain
   * HTTP is allowed.
   */
  checkUrl(url: string, http?: 'loopback' | 'anywhere'): string | null;
  /**
   * The allowed addresses of a name or literal address, resolved now. Rejects with `AddressRefused`
   * if it has none. Without TLS, only the operator's networks are allowed.
   */
  addressesOf(hostname: string, hasTls?: boolean): Promise<LookupAddress[]>;
  /** Why the name's current addresses are refused; null if one is allowed or the lookup fails. */
  mayReach(url: string): Promise<string | null>;
  /** For Node's `request`, which skips it for literal addresses. `checkUrl` covers those. */
  lookup: LookupFunction;
};

/** Node's `dns.lookup`, or a test's. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const LOOPBACK_NETWORKS = '127.0.0.0/8,::1/128';

/** The name resolves to refused addresses only. The message is for the caller. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

const PRIVATE_ADDRESS =
  'The address is in a private or reserved network. The operator can allow it with ALLOWED_NETWORKS.';
const PRIVATE_NAME =
  'The name points into a private or reserved network. The operator can allow it with ALLOWED_NETWORKS.';
const NO_TLS = 'Without TLS, only the networks in ALLOWED_NETWORKS can be reached. Use TLS.';

/**
 * `networks`: comma-separated CIDR blocks, allowed besides public addresses. Throws if one is
 * invalid.
 */
export function createOutgoing(networks: string, resolve: Resolve = systemLookup): Outgoing {
  const allowed = parseNetworks(networks);
  const isAllowed = (address: string): boolean => {
    const parsed = ipaddr.process(address);
    return allowed.contains(parsed.toString());
  };
  const mayCall = (address: string): boolean =>
    isPublic(ipaddr.process(address)) || isAllowed(address);
  const resolveAll = (hostname: string) =>
    new Promise<LookupAddress[]>((done, fail) => {
      resolve(hostname, { all: true }, (error, addresses) =>
        error ? fail(error) : done(addresses),
      );
    });

  const outgoing: Outgoing = {
    networks,

    async addressesOf(hostname, hasTls = true) {
      const literals = literalAddresses(hostname);
      const addresses = literals ?? (await resolveAll(hostname));
      const reachable = addresses.filter(({ address }) => mayCall(address));
      const usable = hasTls ? reachable : addresses.filter(({ address }) => isAllowed(address));
      if (usable.length > 0) return usable;
      if (reachable.length > 0) throw new AddressRefused(NO_TLS);
      throw new AddressRefused(literals ? PRIVATE_ADDRESS : PRIVATE_NAME);
    },

    mayReach: (url) =>
      outgoing.addressesOf(new URL(url).hostname).then(
        () => null,
        (error: unknown) => (error instanceof AddressRefused ? error.message : null),
      ),

    checkUrl(url, http = 'loopback') {
      if (!URL.canParse(url)) return 'Not a URL.';
      const { protocol, hostname, username, password } = new URL(url);
      const address = literalAddress(hostname);
      if (protocol !== 'https:' && protocol !== 'http:') return 'The URL must begin with https://.';
      if (username || password) return 'The URL must not hold a user name or a password.';
      if (protocol === 'http:' && http === 'loopback' && !(address && isLoopback(address))) {
        return 'The URL must begin with https://; http:// is for this machine only.';
      }
      return address && !mayCall(address) ? PRIVATE_ADDRESS : null;
    },

    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, allAddresses) => {
        if (error) return callback(error, []);
        const allowedAddresses = allAddresses.filter(({ address }) => mayCall(address));
        const [address] = allowedAddresses;
        if (!address) return callback(new AddressRefused(PRIVATE_NAME), []);
        if (options.all) callback(null, allowedAddresses);
        else callback(null, address.address, address.family);
      });
    },
  };
  return outgoing;
}

type Address = ReturnType<typeof ipaddr.process>;

/** Global unicast. Excludes older forms that embed an IPv4 address. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_IPV6));

/** RFC 6761. Other names are resolved per request. */
const isThisMachine = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname);

function literalAddress(hostname: string): string | null {
  if (isThisMachine(hostname)) return '127.0.0.1';
  const plain = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(plain) ? plain : null;
}

/** A server on this machine may listen on either loopback address. */
function literalAddresses(hostname: string): LookupAddress[] | null {
  const literal = literalAddress(hostname);
  if (literal === null) return null;
  const literals = isThisMachine(hostname) ? ['127.0.0.1', '::1'] : [literal];
  return literals.map((text) => {
    const address = ipaddr.process(text);
    return { address: address.toString(), family: address.kind() === 'ipv4' ? 4 : 6 };
  });
}

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback';
