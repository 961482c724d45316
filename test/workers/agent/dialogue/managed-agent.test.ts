import { once } from 'node:events';
import { initializeLogger, llm } from '@livekit/agents';
import { beforeAll, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { noBudget } from '../../../support/agents/no-budget.ts';
import { asStream, ManagedAgent } from '../../../../workers/agent/dialogue/managed-agent.ts';

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));

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
