import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/*
 * The media server takes three ports in a row: signalling (HTTP and WebSocket), media over TCP,
 * media over UDP.
 */
export type MediaPorts = { signalling: number; tcp: number; udp: number };

export const DEFAULT_PORT = 7880;

export const mediaPorts = (firstPort: number): MediaPorts => ({
  signalling: firstPort,
  tcp: firstPort + 1,
  udp: firstPort + 2,
});

/** The first of three free ports at or after `from`. */
export async function freeMediaPorts(from: number): Promise<number> {
  for (let firstPort = from; firstPort + 2 <= 65_535; firstPort += 3) {
    if (await areFree(mediaPorts(firstPort))) return firstPort;
  }
  throw new Error(`no three free ports in a row from ${from} on`);
}

export async function areFree({ signalling, tcp, udp }: MediaPorts): Promise<boolean> {
  const free = [await isTcpFree(signalling), await isTcpFree(tcp), await isUdpFree(udp)];
  return free.every(Boolean);
}

/** On one address, or on all. */
export function isTcpFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function isUdpFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}
