import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '#shared/clock.ts';

/** Time for what is in flight after one side has ended. */
const LINGER_MS = 5_000;

/**
 * Passes bytes in both directions until both sides have ended. A server that never ends its side
 * keeps no connection: both are destroyed soon after the first end.
 */
export function joinSockets(client: Duplex, server: Socket, clock: Clock): void {
  let cancel: (() => void) | null = null;
  const destroy = () => {
    cancel?.();
    client.destroy();
    server.destroy();
  };
  const destroySoon = () => {
    cancel ??= clock.after(LINGER_MS, destroy);
  };
  client.on('end', destroySoon).on('close', destroy);
  server.on('end', destroySoon).on('error', destroy);
  server.pipe(client).pipe(server);
}
