import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/**
 * True for a direct local connection. A loopback peer is no proof: behind a local proxy or tunnel
 * every peer is loopback, and the name of another site may resolve to this machine (DNS rebinding).
 * Proxies that add no header and rewrite Host go unnoticed, so do not rely on it behind a proxy.
 * nginx does both unless told otherwise, but speaks HTTP/1.0, which browsers and Prometheus do not.
 */
export function isFromThisMachine({ socket, headers, httpVersion }: IncomingMessage): boolean {
  return (
    httpVersion !== '1.0' &&
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    !isForwarded(headers) &&
    isLoopbackName(headers.host ?? '')
  );
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

function isLoopbackName(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name === '[::1]' || isLoopbackAddress(name);
}

const isForwarded = (headers: IncomingHttpHeaders): boolean =>
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
