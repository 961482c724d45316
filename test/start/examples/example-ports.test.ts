import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { examplePorts } from '../../../src/start/examples/example-ports.ts';
import { freePort } from '../../support/processes/free-port.ts';

const listening: { close(): void }[] = [];
afterEach(() => {
  for (const server of listening.splice(0)) server.close();
});

async function portsFrom(from: number, env: Record<string, string> = {}) {
  const lines: string[] = [];
  const ports = await examplePorts({ PAGE_PORT: from }, env, (line) => lines.push(line));
  return { port: Number(ports['PAGE_PORT']), lines };
}

describe('the port of an example', () => {
  test('is the usual one while nobody has it', async () => {
    const usual = await freePort();

    expect(await portsFrom(usual)).toEqual({ port: usual, lines: [] });
  });

  test('is another one while a server has the usual one, and a line says so', async () => {
    const usual = await freePort();
    const server = createServer().listen(usual, '127.0.0.1');
    listening.push(server);
    await once(server, 'listening');

    const { port, lines } = await portsFrom(usual);

    expect(port).toBeGreaterThan(usual);
    expect(lines).toEqual([
      `Port ${usual} is taken: this example uses ${port} (PAGE_PORT sets another one).`,
    ]);
  });

  test('differs from the one that another example has chosen and does not yet use', async () => {
    const usual = await freePort();

    const [one, other] = await Promise.all([portsFrom(usual), portsFrom(usual)]);

    expect(one.port).not.toBe(other.port);
  });

  test('is the one that is set, whoever has it', async () => {
    expect(await portsFrom(await freePort(), { PAGE_PORT: '9' })).toEqual({ port: 9, lines: [] });
  });
});
