import { ReadableStream, TransformStream } from 'node:stream/web';
import { llm } from '@livekit/agents';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AnswerPart } from '../../../../workers/agent/dialogue/answer-part.ts';
import { slowAnswer, withoutPhrase } from '../../../../workers/agent/dialogue/slow-answer.ts';
import { settle, TestClock } from '../../../support/test-clock.ts';

let clock: TestClock;
let model: WritableStreamDefaultWriter<AnswerPart>;
let answer: ReadableStream<AnswerPart>;
let said: AnswerPart[];

beforeEach(() => {
  clock = new TestClock();
  const stream = new TransformStream<AnswerPart, AnswerPart>(undefined, { highWaterMark: 10 });
  model = stream.writable.getWriter();
  answer = stream.readable.pipeThrough(
    slowAnswer({ phrase: 'One moment.', patienceMs: 2_000, clock }, clock.elapsed()),
  );
  said = [];
});

async function listen(): Promise<void> {
  for await (const part of answer) said.push(part);
}

describe('a slow answer', () => {
  test('begins with the phrase after two seconds', async () => {
    const heard = listen();
    await clock.pass(1_999);
    expect(said).toEqual([]);

    await clock.pass(1);
    expect(said).toEqual(['One moment.\n\n']);

    await clock.pass(6_000);
    await model.write('It is four.');
    await model.close();
    await heard;
    expect(said).toEqual(['One moment.\n\n', 'It is four.']);
    expect(clock.waiting).toBe(0);
  });

  test('needs no phrase if text comes in time', async () => {
    const heard = listen();
    await model.write('It is');
    await clock.pass(10_000);
    await model.write(' four.');
    await model.close();
    await heard;

    expect(said).toEqual(['It is', ' four.']);
    expect(clock.waiting).toBe(0);
  });

  test('is slow while the model reasons, because nothing of it is said', async () => {
    const reasoning = { id: 'chunk', delta: { role: 'assistant', content: '' } } as const;
    const heard = listen();
    await model.write(reasoning);
    await clock.pass(2_000);
    await model.write('It is four.');
    await model.close();
    await heard;

    expect(said).toEqual([reasoning, 'One moment.\n\n', 'It is four.']);
  });

  test('counts the time before the model was asked', async () => {
    await clock.pass(5_000);
    const late = new ReadableStream<AnswerPart>({ start: () => {} }).pipeThrough(
      slowAnswer({ phrase: 'One moment.', patienceMs: 2_000, clock }, 1_000),
    );
    const reader = late.getReader();
    const first = reader.read();
    await clock.pass(0);

    expect(await first).toEqual({ done: false, value: 'One moment.\n\n' });
    await reader.cancel();
  });

  test('says nothing once it is interrupted', async () => {
    const reader = answer.getReader();
    await settle();
    await reader.cancel();

    expect(clock.waiting).toBe(0);
  });

  test('passes an error on', async () => {
    const heard = listen();
    await model.abort(new Error('model gone'));

    await expect(heard).rejects.toThrow('model gone');
    expect(clock.waiting).toBe(0);
  });
});

describe('the conversation that a model gets', () => {
  test('has the answers without the phrase', () => {
    const context = llm.ChatContext.empty();
    context.addMessage({ role: 'user', content: 'One moment.' });
    context.addMessage({ role: 'assistant', content: 'One moment.\n\nIt is four.' });
    // Interrupted before the answer.
    context.addMessage({ role: 'assistant', content: 'One moment.' });
    context.addMessage({ role: 'assistant', content: 'It is five.' });

    const { items } = withoutPhrase(context, { phrase: 'One moment.' });

    const texts = items.map((item) => (item.type === 'message' ? item.textContent : null));
    expect(texts).toEqual(['One moment.', 'It is four.', 'It is five.']);
    expect(items[1]!.id).toBe(context.items[1]!.id);
  });
});
