import { once } from 'node:events';
import { ReadableStream } from 'node:stream/web';
import { initializeLogger, llm, voice } from '@livekit/agents';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '#shared/log.ts';
import { noBudget } from '../../../support/agents/no-budget.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { asStream, ManagedAgent } from '../../../../workers/agent/dialogue/managed-agent.ts';

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
afterEach(() => vi.restoreAllMocks());

const contextWith = (...questions: string[]): llm.ChatContext => {
  const context = llm.ChatContext.empty();
  for (const content of questions) context.addMessage({ role: 'user', content });
  return context;
};

/** The model repeats the last question. `cancelled`: answers that nobody wanted. */
const openAgent = () => {
  const requests: string[][] = [];
  const cancelled: string[] = [];
  vi.spyOn(voice.Agent.default, 'llmNode').mockImplementation(async (_agent, context) => {
    const texts = context.items.map((item) => (item.type === 'message' ? item.textContent! : ''));
    requests.push(texts);
    return new ReadableStream({
      start: (controller) => controller.enqueue(texts.at(-1)!),
      cancel: () => void cancelled.push(texts.at(-1)!),
    });
  });
  const agent = new ManagedAgent({
    instructions: 'Be kind.',
    history: llm.ChatContext.empty(),
    passages: null,
    model: null,
    budget: noBudget,
    sorry: 'Sorry.',
    async *speak() {},
    log: createLog({ name: 'test', level: 'silent' }),
  });
  const answer = async (...questions: string[]) => {
    const stream = await agent.llmNode(contextWith(...questions), llm.ToolContext.empty(), {});
    return (await stream!.getReader().read()).value;
  };
  return { agent, requests, cancelled, answer };
};

test('an agent that has given a thousand answers in a call asks its model no more', async () => {
  const history = llm.ChatContext.empty();
  for (let count = 0; count < 1_000; count += 1)
    history.addMessage({ role: 'assistant', content: 'Yes.' });
  const agent = new ManagedAgent({
    instructions: '',
    history,
    passages: () => Promise.reject(new Error('not expected')),
    model: null,
    budget: noBudget,
    sorry: 'Sorry.',
    async *speak() {},
    log: createLog({ name: 'test', level: 'silent' }),
  });

  const answer = await agent.llmNode(history, llm.ToolContext.empty(), {});

  const parts: unknown[] = [];
  for await (const part of answer!) parts.push(part);
  expect(parts).toEqual(['Sorry.']);
});

test('a cancelled stream ends its generator', async () => {
  let hasEnded = false;
  const reader = asStream(async function* (signal) {
    try {
      yield 'a word';
      await once(signal, 'abort');
      yield 'another word';
    } finally {
      hasEnded = true;
    }
  }).getReader();

  await reader.read();
  await reader.cancel();

  expect(hasEnded).toBe(true);
});

test('a picture goes with its own question only', async () => {
  const requests: string[] = [];
  vi.spyOn(voice.Agent.default, 'llmNode').mockImplementation(async (_agent, context) => {
    requests.push(JSON.stringify(context.toJSON({ excludeImage: false })));
    return ReadableStream.from(['Yes.']);
  });
  const pictures = ['data:image/jpeg;base64,FIRST', 'data:image/jpeg;base64,SECOND', null];
  const agent = new ManagedAgent({
    instructions: '',
    history: llm.ChatContext.empty(),
    passages: null,
    model: {
      context: { fit: (conversation) => conversation },
      waiting: { phrase: 'One moment.', patienceMs: 2_000, clock: new TestClock() },
      picture: async () => pictures.shift() ?? null,
    },
    budget: noBudget,
    sorry: 'Sorry.',
    async *speak() {},
    log: createLog({ name: 'test', level: 'silent' }),
  });
  const context = llm.ChatContext.empty();

  for (const content of ['What is this?', 'And this?', 'Do you see me?']) {
    context.addMessage({ role: 'user', content });
    await agent.llmNode(context, llm.ToolContext.empty(), {});
  }

  expect(requests.map((request) => request.match(/FIRST|SECOND/g))).toEqual([
    ['FIRST'],
    ['SECOND'],
    null,
  ]);
});

describe('an answer that was asked for ahead of time', () => {
  test('is given when the turn ends with the same words, with the instructions of the agent', async () => {
    const { agent, requests, answer } = openAgent();

    agent.anticipate(contextWith('What time is it?'));

    expect(await answer('What time is it?')).toBe('What time is it?');
    expect(requests).toEqual([['Be kind.', 'What time is it?']]);
  });

  test('is cancelled when the user says more', async () => {
    const { agent, requests, cancelled, answer } = openAgent();

    agent.anticipate(contextWith('What time is it?'));

    expect(await answer('What time is it in Rome?')).toBe('What time is it in Rome?');
    expect(requests).toHaveLength(2);
    expect(cancelled).toEqual(['What time is it?']);
  });

  test('is cancelled when it is retracted, and is not given later', async () => {
    const { agent, requests, cancelled, answer } = openAgent();

    agent.anticipate(contextWith('What time is it?'));
    agent.retract();
    await answer('What time is it?');

    expect(requests).toHaveLength(2);
    expect(cancelled).toEqual(['What time is it?']);
  });
});
