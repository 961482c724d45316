import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '#shared/clock.ts';

/** Time for what is in flight after one side has ended. */
const LINGER_MS = 5_000;
/**
 * A media server answers its client's ping every few seconds. The client has given up long before,
 * but it waits without end for a silent server to close (rtc-node 0.13.35, livekit/rust-sdks issue
 * 1334), and keeps some 30 sockets of that room as long.
 */
const SILENT_MS = 60_000;

/**
 * Passes bytes in both directions until both sides have ended. A server that never ends its side
 * keeps no connection: both are destroyed soon after the first end, or when the server is silent.
 */
export function joinSockets(client: Duplex, server: Socket, clock: Clock): void {
  let cancel: (() => void) | null = null;
  let isSilent = true;
  const stopWatch = clock.every(SILENT_MS, () => {
    if (isSilent) destroy();
    isSilent = true;
  });
  const destroy = () => {
    cancel?.();
    stopWatch();
    client.destroy();
    server.destroy();
  };
  const destroySoon = () => {
    cancel ??= clock.after(LINGER_MS, destroy);
  };
  client.on('end', destroySoon).on('close', destroy);
  server.on('end', destroySoon).on('error', destroy);
  server.on('data', () => (isSilent = false));
  server.pipe(client).pipe(server);
}
