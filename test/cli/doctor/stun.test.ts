import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { askStun, parseStunServer } from '../../../src/cli/doctor/stun.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { troupe } from '../run-troupe.ts';

let udp: Socket | null = null;
let tcp: Server | null = null;
afterEach(() => {
  udp?.close();
  tcp?.close();
  [udp, tcp] = [null, null];
});

/** A binding answer with the request's transaction id. */
function answerTo(request: Buffer): Buffer {
  const answer = Buffer.from(request);
  answer.writeUInt16BE(0x0101, 0);
  return answer;
}

/** `loses`: how many requests it does not answer. */
async function openUdp(loses = 0): Promise<number> {
  const socket = createSocket('udp4');
  udp = socket;
  let lossesLeft = loses;
  socket.on('message', (request, from) => {
    if (lossesLeft-- > 0) return;
    socket.send(answerTo(request), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

async function openTcp(): Promise<number> {
  tcp = createServer((socket) => socket.once('data', (request) => socket.end(answerTo(request))));
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  return (tcp.address() as AddressInfo).port;
}

const server = (port: number, transport: 'udp' | 'tcp') => ({ host: '127.0.0.1', port, transport });

describe('a TURN server', () => {
  test.each([
    ['turn:a.example', { host: 'a.example', port: 3478, transport: 'udp' }],
    ['turn:a.example:99?transport=tcp', { host: 'a.example', port: 99, transport: 'tcp' }],
    ['turns:a.example:443', { host: 'a.example', port: 443, transport: 'tls' }],
    ['stun:a.example', { host: 'a.example', port: 3478, transport: 'udp' }],
    ['https://a.example', null],
    ['turn:', null],
  ])('is read from %s', (text, expected) => {
    expect(parseStunServer(text)).toEqual(expected);
  });

  test('answers by UDP, also when a request is lost', async () => {
    await askStun(server(await openUdp(1), 'udp'), PATIENCE_MS);
  });

  test('answers by TCP', async () => {
    await askStun(server(await openTcp(), 'tcp'), PATIENCE_MS);
  });

  test('that stays silent is an error', async () => {
    const silent = server(await openUdp(Infinity), 'udp');

    await expect(askStun(silent, 50)).rejects.toThrow('no answer by UDP');
  });

  test('is asked by troupe doctor --turn', async () => {
    const port = await openUdp();
    const url = 'http://127.0.0.1:9';

    const { stdout } = await troupe(['doctor', '--url', url, '--turn', `turn:127.0.0.1:${port}`]);
    const wrong = await troupe(['doctor', '--url', url, '--turn', 'example.com']);

    expect(stdout).toContain(`✓ TURN          turn:127.0.0.1:${port} answers`);
    expect(wrong.stdout).toContain(
      "✗ TURN          'example.com' is not the address of a TURN server",
    );
  });
});
