import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4 } from 'node:net';

/**
 * True for a direct local connection. Behind a local proxy or tunnel every peer is loopback, so
 * forwarded requests do not count.
 */
export function isFromThisMachine(peer: string | undefined, headers: IncomingHttpHeaders): boolean {
  return isLoopbackAddress(peer ?? '') && !isForwarded(headers);
}

export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

export const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => name.startsWith('x-forwarded') || forwarding.has(name));

const forwarding = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-host',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
]);
