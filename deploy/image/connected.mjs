/*
 * Health check of worker images: the worker holds a connection to its control plane. Workers listen
 * on no port.
 */
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';

const ESTABLISHED = '01';
const url = new URL(process.env.CONTROL_URL || 'http://127.0.0.1:8080');
const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
const addresses = await lookup(url.hostname, { all: true });
const wanted = new Set(addresses.flatMap(({ address }) => endpoints(address)));

/** Remote addresses as /proc/net/tcp and tcp6 write them, without the port. */
function endpoints(address) {
  if (address.includes(':')) return [];
  const word = address
    .split('.')
    .toReversed()
    .map((byte) => hex(byte, 2))
    .join('');
  return [word, `0000000000000000FFFF0000${word}`];
}

function hex(value, digits) {
  return Number(value).toString(16).toUpperCase().padStart(digits, '0');
}

const isConnected = ['/proc/net/tcp', '/proc/net/tcp6'].some((table) =>
  readFileSync(table, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .some(([, , remote, state]) => {
      const [host, at] = (remote ?? ':').split(':');
      return state === ESTABLISHED && at === hex(port, 4) && wanted.has(host);
    }),
);
process.exit(isConnected ? 0 : 1);
