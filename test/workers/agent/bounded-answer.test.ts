import { ReadableStream } from 'node:stream/web';
import { describe, expect, test } from 'vitest';
import {
  boundedAnswer,
  MAX_ANSWER_BYTES,
  MAX_EVENT_BYTES,
} from '../../../workers/agent/bounded-answer.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function answerOf(pieces: Iterable<Uint8Array<ArrayBuffer>>): Response {
  const body = ReadableStream.from(pieces) as globalThis.ReadableStream<Uint8Array<ArrayBuffer>>;
  return boundedAnswer(new Response(body));
}

async function readPieces(response: Response): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of response.body!) pieces.push(new TextDecoder().decode(piece));
  return pieces.filter(Boolean);
}

describe('an answer of an endpoint', () => {
  test.each(['\n', '\r\n'])('comes in whole events, however it was sent', async (end) => {
    const events = ['a', 'b', 'c'].map((name) => `event: ${name}${end}data: 1${end}${end}`);
    const text = `${events.join('')}data: 2`;
    const partitions = [Array.from(text), [text], [text.slice(0, 20), text.slice(20)]];

    for (const pieces of partitions)
      expect(await readPieces(answerOf(pieces.map(bytesOf)))).toEqual([...events, 'data: 2']);
  });

  test('may be no stream', async () => {
    expect(await answerOf([bytesOf('{"text":'), bytesOf('"four"}')]).json()).toEqual({
      text: 'four',
    });
    expect(boundedAnswer(new Response(null, { status: 204 })).status).toBe(204);
  });

  test.each([
    ['one event', MAX_EVENT_BYTES, bytesOf('a'.repeat(1_024))],
    ['all events', MAX_ANSWER_BYTES, bytesOf(`${'a'.repeat(1_022)}\n\n`)],
  ])('fails when %s is too large', async (_, mostBytes, piece) => {
    let sentBytes = 0;
    function* pieces() {
      for (; sentBytes < 2 * mostBytes; sentBytes += piece.length) yield piece;
    }

    await expect(readPieces(answerOf(pieces()))).rejects.toThrow('larger');
    expect(sentBytes).toBeLessThanOrEqual(mostBytes + 4 * piece.length);
  });
});
