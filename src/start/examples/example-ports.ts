import { createSocket } from 'node:dgram';
import { isTcpFree } from '../media-server/media-server-ports.ts';
import type { Say } from '../messages/progress.ts';

const HOST = '127.0.0.1';

/**
 * The ports of an example by their variables: the given ones, else the usual ones, else the next
 * free ones.
 */
export async function examplePorts(
  usual: Readonly<Record<string, number>>,
  env: Record<string, string | undefined>,
  say: Say,
): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const [variable, from] of Object.entries(usual)) {
    const port = env[variable] ?? String(await nextFreePort(from));
    if (!env[variable] && port !== String(from))
      say(`Port ${from} is taken: this example uses ${port} (${variable} sets another one).`);
    ports[variable] = port;
  }
  return ports;
}

async function nextFreePort(from: number): Promise<number> {
  for (let port = from; port <= 65_535; port++) {
    if ((await isTcpFree(port, HOST)) && (await claim(port))) return port;
  }
  throw new Error(`no free port from ${from} on`);
}

/**
 * An example listens some time after its port was chosen. Until this process ends, it holds the UDP
 * port of the same number, so that another example does not choose the same port meanwhile.
 */
function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ address: HOST, port, exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}
