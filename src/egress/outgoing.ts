/*
 * Address policy for requests on behalf of callers (SSRF protection): public addresses, and
 * networks that the operator allows. A name may resolve to a private address at any time. So a URL
 * is checked when it is saved and before each request, and the request's `lookup` returns allowed
 * addresses only: the socket connects to the address that was checked.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Outgoing = {
  /**
   * Why the URL is refused, as a text for the caller; null if it is allowed. `http`: where plain
   * HTTP is allowed.
   */
  checkUrl(url: string, http?: 'loopback' | 'anywhere'): string | null;
  /** Why the name's current addresses are refused; null if one is allowed or the lookup fails. */
  mayReach(url: string): Promise<string | null>;
  /** For Node's `request`, which skips it for literal addresses. `checkUrl` covers those. */
  lookup: LookupFunction;
};

type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const LOOPBACK_NETWORKS = '127.0.0.0/8,::1/128';

/**
 * Loopback is allowed by default while only this machine can reach the service: its callers can
 * reach loopback anyway. With PUBLIC_URL, others reach the service through a proxy.
 */
export function allowedNetworks(config: {
  ALLOWED_NETWORKS?: string;
  HOST: string;
  PUBLIC_URL?: string;
}): string {
  const host = literalAddress(config.HOST);
  const isLocal = config.PUBLIC_URL === undefined && host !== null && isLoopback(host);
  return config.ALLOWED_NETWORKS ?? (isLocal ? LOOPBACK_NETWORKS : '');
}

/** The name resolves to refused addresses only. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * `networks`: comma-separated CIDR blocks, allowed besides public addresses. Throws if one is
 * invalid.
 */
export function createOutgoing(networks: string, resolve: Resolve = systemLookup): Outgoing {
  const allowed = parseNetworks(networks);
  const mayCall = (address: string): boolean => {
    const parsed = ipaddr.process(address);
    return isPublic(parsed) || allowed.some((network) => isWithin(parsed, network));
  };

  const outgoing: Outgoing = {
    mayReach: (url) =>
      new Promise((done) => {
        outgoing.lookup(new URL(url).hostname, { all: true }, (error) =>
          done(error instanceof AddressRefused ? error.message : null),
        );
      }),

    checkUrl(url, http = 'loopback') {
      if (!URL.canParse(url)) return 'Not a URL.';
      const { protocol, hostname, username, password } = new URL(url);
      const address = literalAddress(hostname);
      if (protocol !== 'https:' && protocol !== 'http:') return 'The URL must begin with https://.';
      if (username || password) return 'The URL must not hold a user name or a password.';
      if (protocol === 'http:' && http === 'loopback' && !(address && isLoopback(address))) {
        return 'The URL must begin with https://; http:// is for this machine only.';
      }
      if (address && !mayCall(address)) {
        return 'The address is in a private or reserved network, which this service does not allow.';
      }
      return null;
    },

    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, []);
        const addresses = found.filter(({ address }) => mayCall(address));
        const [first] = addresses;
        if (!first) {
          const text = 'The name points into a private or reserved network.';
          return callback(new AddressRefused(text), []);
        }
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  };
  return outgoing;
}

type Address = ReturnType<typeof ipaddr.process>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

function parseNetworks(text: string): Network[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const [address = ''] = entry.split('/');
    const whole = entry === address ? `${entry}/${isIPv6(entry) ? 128 : 32}` : entry;
    if (isIP(address) !== 0 && ipaddr.isValidCIDR(whole)) return ipaddr.parseCIDR(whole);
    throw new Error(`Configuration: ALLOWED_NETWORKS holds ${entry}, which is no network`);
  });
}

const isWithin = (address: Address, [network, length]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, length);

/** Global unicast. Excludes older forms that embed an IPv4 address. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, GLOBAL_IPV6));

/** `localhost` is always this machine (RFC 6761). Other names are resolved per request. */
function literalAddress(hostname: string): string | null {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return '127.0.0.1';
  const plain = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(plain) ? plain : null;
}

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback';
