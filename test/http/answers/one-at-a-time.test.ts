import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { answerOneAtATime } from '../../../src/http/answers/one-at-a-time.ts';
import { RequestTurns } from '../../../src/http/limits/request-turns.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

let server: Server;
let socket: Socket;
let received: string;
let atWork: { url: string; response: ServerResponse }[];

async function start(takenWithinMs = 60_000): Promise<void> {
  atWork = [];
  received = '';
  server = createServer((request, response) => atWork.push({ url: request.url!, response }));
  const turns = new RequestTurns(new TestClock());
  answerOneAtATime(server, { turns, takenWithinMs });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('data', (data) => (received += String(data)));
}
afterEach(() => {
  socket.destroy();
  server.closeAllConnections();
  server.close();
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

test('pipelined requests are worked on in turn', async () => {
  await start();
  socket.write(get('/1') + get('/2') + get('/3'));
  await until(() => atWork.length === 1);
  for (const turn of [1, 2, 3]) {
    await until(() => atWork.length === turn);
    atWork[turn - 1]!.response.end(`answer ${turn}.`);
  }

  await until(() => received.includes('answer 3.'));
  expect(atWork.map(({ url }) => url)).toEqual(['/1', '/2', '/3']);
  expect(received.match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']);
});

test('a connection serves requests one after the other for as long as it likes', async () => {
  await start();
  for (let count = 1; count <= 300; count += 1) {
    socket.write(get(`/${count}`));
    await until(() => atWork.length === count);
    atWork[count - 1]!.response.end(`answer ${count}.`);
    await until(() => received.includes(`answer ${count}.`));
  }

  expect(received).not.toContain('close');
});

test('requests beyond twenty are dropped, and the connection ends with the last answer', async () => {
  await start();
  const closed = once(socket, 'close');
  socket.write(get('/').repeat(100));
  for (let count = 1; count <= 21; count += 1) {
    await until(() => atWork.length === count);
    atWork[count - 1]!.response.end('answer.');
  }

  await closed;
  expect(received.match(/answer\./g)).toHaveLength(21);
  expect(received.match(/connection: close/gi)).toHaveLength(1);
});

test('a client that sends on, although its requests are dropped, is disconnected', async () => {
  await start();
  const [serverSocket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => {});

  socket.write(get('/').repeat(1_000));

  await once(serverSocket, 'close');
  expect(atWork).toHaveLength(1);
});

test('a client that takes nothing of its answer is disconnected', async () => {
  await start(50);
  const [serverSocket] = (await once(server, 'connection')) as [Socket];
  socket.pause();
  socket.write(get('/'));
  await until(() => atWork.length === 1);

  const closed = once(serverSocket, 'close');
  atWork[0]!.response.end(Buffer.alloc(50 * 1024 ** 2));

  await closed;
});

test('a handler may take longer than its client', async () => {
  await start(20);
  socket.write(get('/'));
  await until(() => atWork.length === 1);
  const { response } = atWork[0]!;
  for (let count = 0; count < 3; count += 1) await once(response, 'timeout');

  response.end('answer.');

  await until(() => received.includes('answer.'));
});
