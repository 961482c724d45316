import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chatClient } from '../../../workers/agent/chat-client.ts';
import { listen, portOf } from '../../support/loopback.ts';

type Delta = Record<string, unknown>;

let server: Server;
let answers: (Delta | string | null)[][];
/** Answered in place of a stream. */
let whole: object | null;
/** Counted by the client. */
let tokens: number;
let client: ReturnType<typeof chatClient>;

beforeEach(async () => {
  answers = [];
  whole = null;
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (!whole) return answer(response, answers.shift() ?? []);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(whole));
    });
  });
  await listen(server);
  const url = `http://127.0.0.1:${portOf(server)}/v1`;
  tokens = 0;
  const endpoint = { url, key: null, model: 'm', temperature: null };
  client = chatClient(endpoint, { add: ({ modelTokens = 0 }) => (tokens += modelTokens) });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** Strings are texts; null: the end. */
function answer(response: ServerResponse, parts: (Delta | string | null)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of parts) {
    const delta = typeof part === 'string' ? { content: part } : (part ?? {});
    const choices = [{ index: 0, delta, finish_reason: part === null ? 'stop' : null }];
    response.write(`data: ${JSON.stringify({ id: 'c', choices })}\n\n`);
  }
  response.end();
}

async function ask(parts: (Delta | string | null)[]): Promise<string> {
  answers.push(parts);
  const stream = await client.chat.completions.create({
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: 'What is two and two?' }],
  });
  let text = '';
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
  return text;
}

describe('chat client', () => {
  test.each<[(Delta | string | null)[], string]>([
    [['It ', 'is four.', null], 'It is four.'],
    [['<thin', 'king>I count.</th', 'inking>', 'It is four.', null], 'It is four.'],
    [['<think>One <think>two</think> three', '</think>It is', ' four.'], 'It is four.'],
    [[{ reasoning_content: 'I count.' }, { content: 'It is four.' }, null], 'It is four.'],
    [[{ content: [{ type: 'thinking', thinking: [] }] }, 'It is four.', null], 'It is four.'],
    [
      [{ content: [{ type: 'reasoning', text: 'I count.' }] }, { content: ['It is four.'] }],
      'It is four.',
    ],
    [[{ content: [{ type: 'text', text: 'It is ' }, { text: 'four.' }] }], 'It is four.'],
    [[{ content: null, refusal: 'I cannot say.' }, null], 'I cannot say.'],
    [['\n\n', '**', 'It is four.', null], '**It is four.'],
    [['It is four. <', null], 'It is four. <'],
  ])('reads the answer in %j', async (parts, text) => {
    expect(await ask(parts)).toBe(text);
  });

  test.each<[(Delta | string | null)[]]>([
    [[]],
    [[null]],
    [['', { content: null }, null]],
    [[' \n', null]],
    [['...', '\u{1f44d}', null]],
    [['<think>I count and count', null]],
    [[{ reasoning_content: 'I count.' }, null]],
    [[{ content: [] }, null]],
  ])('takes an answer without text for an error: %j', async (parts) => {
    await expect(ask(parts)).rejects.toThrow('without text');
  });

  test.each([
    [{ role: 'assistant', content: 'It is four.' }],
    [{ role: 'assistant', content: '<think>I count.</think>It is four.' }],
  ])('reads an answer that is no stream: %j', async (message) => {
    whole = { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] };

    expect(await ask([])).toBe('It is four.');
  });

  test('takes a whole answer without text for an error', async () => {
    whole = { id: 'c' };

    await expect(ask([])).rejects.toThrow('without text');
  });

  test('counts what is sent and answered, with the reasoning', async () => {
    const reasoning = 'I count and count. '.repeat(100);
    await ask([{ reasoning_content: reasoning }, 'It is four.', null]);
    const counted = tokens;
    await ask(['It is four.', null]);

    expect(counted).toBeGreaterThan(reasoning.length / 3);
    expect(tokens - counted).toBeLessThan(100);
  });

  test('counts a picture as such, not as text', async () => {
    answers.push(['A lamp.', null]);
    const url = `data:image/jpeg;base64,${'A'.repeat(200_000)}`;
    await client.chat.completions.create({
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    });

    expect(tokens).toBeGreaterThan(1_000);
    expect(tokens).toBeLessThan(1_200);
  });

  test('stops a model that reasons without an end', async () => {
    const parts = Array.from({ length: 100 }, () => ({ reasoning_content: 'count '.repeat(500) }));

    await expect(ask(parts)).rejects.toThrow('without text');
    expect(tokens).toBeLessThan(25_000);
  });

  test('takes one delta of an endless answer only in part', async () => {
    expect(await ask(['It is four. '.repeat(30_000)])).toHaveLength(60_000);
    await expect(ask([{ reasoning_content: 'a'.repeat(100_000), content: 'four' }])).resolves.toBe(
      'four',
    );
    await expect(ask(['a'.repeat(600_000)])).rejects.toThrow('larger');
  });

  test('counts pieces of an answer like the whole, and no field without text', async () => {
    const text = 'It is four, I think. '.repeat(40);
    await ask([text, null]);
    const wholeTokens = tokens;
    const bare = { refusal: null, tool_calls: [], function_call: null, annotations: [] };
    await ask([...Array.from(text, (content) => ({ ...bare, role: 'assistant', content })), null]);

    expect(tokens - wholeTokens).toBe(wholeTokens);
  });

  test('lets a model reason as long in pieces as in whole', async () => {
    const pieces = Array.from({ length: 40_000 }, () => ({ reasoning: 'a', content: null }));

    expect(await ask([...pieces, 'It is four.'])).toBe('It is four.');
  });

  test('learns from the first answer that the template begins the reasoning', async () => {
    await ask(['I count.', '</think>', 'It is four.', null]);

    expect(await ask(['I count again.', '</thi', 'nk>It is four.', null])).toBe('It is four.');
    expect(await ask(['It is ', 'four.', null])).toBe('It is four.');
  });
});
