import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeRecord } from '../../../../src/protocol/botroom/records.ts';
import { BotroomSocket } from '../../../../src/web/try/botroom/botroom-socket.ts';
import { BotroomGone } from '../../../../src/web/try/notices.ts';
import { FakeWebSocket } from '../../../support/pages/fake-web-socket.ts';

let socket: BotroomSocket;
let reports: unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeWebSocket);
  FakeWebSocket.instances.length = 0;
  reports = [];
  socket = new BotroomSocket({
    onRecord: ({ type }) => reports.push(type),
    onDropped: () => reports.push('dropped'),
    onReturned: () => reports.push('returned'),
    onLost: (error) => reports.push(error),
  });
});
afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const latest = () => FakeWebSocket.instances.at(-1)!;
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

async function open(): Promise<void> {
  const opening = socket.open('ws://own.example/v1/botrooms/b', 'the-token');
  latest().opens();
  await opening;
}

describe('the socket of a botroom', () => {
  test('connects again with its token when the connection breaks', async () => {
    await open();
    latest().end(1006);
    await seconds(1);
    latest().opens();
    await seconds(0);
    latest().receive(writeRecord('ready'));
    socket.send('flush');

    const [firstSocket, secondSocket] = FakeWebSocket.instances;
    expect(reports).toEqual(['dropped', 'returned', 'ready']);
    expect([secondSocket?.url, secondSocket?.protocols]).toEqual([
      firstSocket?.url,
      firstSocket?.protocols,
    ]);
    expect([firstSocket?.messages.length, secondSocket?.messages.length]).toEqual([0, 1]);
  });

  test('drops what is sent while there is no connection', async () => {
    await open();
    latest().end(1001);
    socket.send('flush');
    await seconds(1);
    socket.send('flush');

    expect(FakeWebSocket.instances.flatMap(({ messages }) => messages)).toEqual([]);
  });

  test('is lost when nothing lets it in for as long as the session waits', async () => {
    await open();
    latest().end(1006);
    for (let elapsed = 0; elapsed < 9.5; elapsed += 0.5) {
      await seconds(0.5);
      latest().end(1006);
    }
    const reportsSoFar = [...reports];
    await seconds(1);
    latest().end(1006);
    await seconds(5);

    expect(FakeWebSocket.instances.length).toBeGreaterThan(15);
    expect(reportsSoFar).toEqual(['dropped']);
    expect(reports).toEqual(['dropped', expect.any(BotroomGone)]);
  });

  test.each([1000, 4408, 4409, 4410, 4429])('does not return after %i', async (code) => {
    await open();
    latest().receive(writeRecord('error', { message: 'The room said why.' }));
    latest().end(code);
    await seconds(20);

    expect(FakeWebSocket.instances).toHaveLength(1);
    expect(reports).toEqual(['error', expect.objectContaining({ reason: 'The room said why.' })]);
  });

  test('does not return once it is closed', async () => {
    await open();
    latest().end(1006);
    socket.close();
    await seconds(20);

    expect(FakeWebSocket.instances).toHaveLength(1);
    expect(reports).toEqual(['dropped']);
  });
});
