import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  dialMediaSocket,
  type MediaSocket,
  type SocketEnd,
} from '../../../workers/runtime/media-socket.ts';

let http: Server;
let server: WebSocketServer;
let url: URL;

beforeEach(async () => {
  http = createServer();
  server = new WebSocketServer({ server: http });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  url = new URL(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/room`);
});
afterEach(async () => {
  for (const socket of server.clients) socket.terminate();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

function dial() {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<SocketEnd>();
  const received: string[] = [];
  const socket: MediaSocket = dialMediaSocket(
    { url, headers: { authorization: 'Bearer token' }, protocols: ['p1'], maxMessageBytes: 100 },
    {
      opened: opened.resolve,
      received: (message, isBinary) =>
        received.push(`${isBinary ? 'binary' : 'text'} ${Buffer.from(message).toString()}`),
      ended: ended.resolve,
    },
  );
  return { socket, received, opened: opened.promise, ended: ended.promise };
}

const accepted = async (): Promise<WebSocket> => {
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  return socket;
};

describe('media socket', () => {
  test('carries messages both ways', async () => {
    const accepting = accepted();
    const { socket, received, opened } = dial();
    const peer = await accepting;
    await opened;

    socket.send(Buffer.from('up'));
    const [up] = (await once(peer, 'message')) as [Buffer];
    peer.send(Buffer.from('down'));
    peer.send('text');
    peer.close(4410, 'over');
    await new Promise((resolve) => peer.once('close', resolve));

    expect(up.toString()).toBe('up');
    expect(received).toEqual(['binary down', 'text text']);
    expect(peer.extensions).toBe('');
  });

  test('ends with the code and the reason of the peer', async () => {
    const accepting = accepted();
    const { ended } = dial();
    (await accepting).close(4410, 'The session is over: time_limit.');

    expect(await ended).toEqual({ code: 4410, reason: 'The session is over: time_limit.' });
  });

  test('ends with the status of a refused handshake, also of a redirect', async () => {
    for (const status of [401, 302]) {
      http.removeAllListeners('upgrade');
      http.once('upgrade', (_request, stream) =>
        stream.end(`HTTP/1.1 ${status} No\r\nlocation: http://127.0.0.1:1/\r\n\r\n`),
      );

      expect(await dial().ended).toMatchObject({ status });
    }
  });

  test('ends with the error of a connection that fails', async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));

    const { code, error } = await dial().ended;

    expect(code).toBe(1006);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    http.listen(0);
    await once(http, 'listening');
  });

  test('ends on a message that is too long', async () => {
    const accepting = accepted();
    const { received, ended } = dial();
    (await accepting).send(Buffer.alloc(101));

    expect(await ended).toMatchObject({ code: 1006 });
    expect(received).toEqual([]);
  });

  test('ends at once when terminated, and sends nothing afterwards', async () => {
    const accepting = accepted();
    const { socket, opened, ended } = dial();
    await accepting;
    await opened;

    socket.terminate();
    socket.send('late');

    expect(await ended).toMatchObject({ code: 1006 });
    expect(socket.unsentBytes).toBe(0);
  });

  test('ends when terminated before it is open', async () => {
    const { socket, ended } = dial();

    socket.terminate();

    expect(await ended).toMatchObject({ code: 1006 });
  });
});
