/*
 * Which addresses the service calls for its callers: public ones, and those of networks that its operator allows. A URL says little: a
 * name may point inward, and may do so only later. So a URL is checked when it is saved and again before each request, and the
 * request is given `lookup`, which hands over no address that is refused: what was checked is what the socket connects to.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Outgoing = {
  /** Why this URL may not be called, for the caller to read; null when it may. `http`: where it may go without encryption. */
  checkUrl(url: string, http?: 'loopback' | 'anywhere'): string | null;
  /** Why what the URL's name leads to now may not be called; null when it may, also when it leads nowhere at this moment. */
  mayReach(url: string): Promise<string | null>;
  /** For node's `request`, which does not ask it about a literal address: that is what `checkUrl` is for. */
  lookup: LookupFunction;
};

export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const LOOPBACK_NETWORKS = '127.0.0.0/8,::1/128';

/**
 * A service that only this machine reaches is called by people who reach all of it anyway: theirs may be at loopback, unless it is said
 * what may be called. With a public address others call it, through whatever stands before it.
 */
export function allowedNetworks(config: {
  ALLOWED_NETWORKS?: string;
  HOST: string;
  PUBLIC_URL?: string;
}): string {
  const host = literalAddress(config.HOST);
  const isOurs = config.PUBLIC_URL === undefined && host !== null && isLoopback(host);
  return config.ALLOWED_NETWORKS ?? (isOurs ? LOOPBACK_NETWORKS : '');
}

/** An address that may not be called, found only when its name was looked up. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** `networks`: those that are allowed beside the public ones, separated by commas; throws when it does not read. */
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

/** Of IPv6, only what is given out to the world: older forms that carry an IPv4 address inside lie outside of it. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, GLOBAL_IPV6));

/** `localhost` is this machine by definition (RFC 6761); other names are looked up when they are called. */
function literalAddress(hostname: string): string | null {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return '127.0.0.1';
  const plain = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(plain) ? plain : null;
}

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback';
