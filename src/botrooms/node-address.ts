import { networkInterfaces } from 'node:os';

/**
 * Where other control planes reach this one. With a wildcard host: the machine's first address that
 * is not its own only.
 */
export function nodeAddress({
  configuredUrl,
  host,
  port,
}: {
  configuredUrl: string | undefined;
  host: string;
  port: number;
}): string {
  if (configuredUrl !== undefined) return new URL(configuredUrl).origin;
  const reachable = WILDCARDS.includes(host) ? outsideAddress() : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

const WILDCARDS = ['0.0.0.0', '::'];

function outsideAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap(
    (addressesOfInterface) => addressesOfInterface ?? [],
  );
  return addresses.find(({ internal }) => !internal)?.address ?? '127.0.0.1';
}
