import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to outgoing connections, which could take one meanwhile. */
const [FIRST, LAST] = [15_000, 32_000];

export const randomPort = (): number => FIRST + Math.floor(Math.random() * (LAST - FIRST));

/** For a program that cannot choose a port itself, or that starts again on the same one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomPort();
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
