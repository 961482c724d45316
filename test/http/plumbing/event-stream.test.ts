import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { describe, expect, test } from 'vitest';
import {
  EventStreams,
  HEARTBEAT_MS,
  type EventStream,
} from '../../../src/http/plumbing/event-stream.ts';
import { TestClock } from '../../support/test-clock.ts';

function openOne() {
  const clock = new TestClock();
  const streams = new EventStreams({ max: 1, clock, keys: { onChanged: () => () => {} } });
  const open = () => streams.open({ name: 'a client', isKnown: async () => true });
  const stream = open();
  return { clock, streams, open, stream, body: bodyOf(stream) };
}

/** Body of the client's response, not yet read. */
function bodyOf(stream: EventStream): Readable {
  const reply = { type: () => reply, header: () => reply };
  return stream.answer(reply as unknown as FastifyReply);
}

const closed = (body: Readable) => new Promise((resolve) => body.once('close', resolve));

describe('an event stream', () => {
  test('ends when its client does not read, and makes room for another one', async () => {
    const { open, stream, body } = openOne();
    const event = 'x'.repeat(300_000);
    for (let i = 0; i < 4; i += 1) stream.send('change', event);
    expect(body.destroyed).toBe(false);

    stream.send('change', event);

    expect(body.destroyed).toBe(true);
    await closed(body);
    expect(open).not.toThrow();
  });

  test('goes on for a client that reads', async () => {
    const { stream, body } = openOne();
    let read = 0;
    body.on('data', (data: Buffer) => (read += data.length));
    for (let i = 0; i < 20; i += 1) {
      stream.send('change', 'x'.repeat(300_000));
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(body.destroyed).toBe(false);
    expect(read).toBeGreaterThan(20 * 300_000);
  });

  test('waits five seconds for a client to read its end', async () => {
    const { clock, open, stream, body } = openOne();
    stream.send('hello', {});
    stream.end();
    stream.end();
    clock.advance(4_999);
    expect(body.destroyed).toBe(false);

    clock.advance(1);

    expect(body.destroyed).toBe(true);
    await closed(body);
    expect(clock.waiting).toBe(0);
    expect(open).not.toThrow();
  });

  test('leaves no timer once its client has read the end', async () => {
    const { clock, stream, body } = openOne();
    body.pipe(new PassThrough()).resume();
    clock.advance(HEARTBEAT_MS);
    stream.end();
    await closed(body);

    expect(clock.waiting).toBe(0);
  });

  test('is not opened any more when the server stops', () => {
    const { streams, open } = openOne();
    streams.close();

    expect(open).toThrow(expect.objectContaining({ fault: 'at_capacity' }));
  });
});
